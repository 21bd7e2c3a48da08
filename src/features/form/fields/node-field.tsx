import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import type { Path } from '../../../../core/json/pointer.ts'
import { isSecretAt } from '../../../../core/secrets/is-secret.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import { fieldId, fromRegistry, useDraftSelector, useFormScope, useIssues } from '../form-scope.ts'
import type { FieldFrameProps } from '../theme/templates/field-frame.tsx'
import { MiniButton } from './buttons.tsx'
import type { MenuItem } from './field-menu.tsx'
import { NodeControl } from './node-control.tsx'
import type { NodeControlProps } from './node-control-props.ts'
import { nodeMenu, preview } from './node-menu.ts'
import { stateOf, statusOf, textOf } from './node-status.ts'
import { startValue } from './start-value.ts'

export interface NodeFieldProps {
  readonly schema: JsonSchema
  readonly path: Path
  readonly label: string
  readonly required: boolean
  readonly half?: boolean
  /** Levels of objects and lists above this one. */
  readonly depth: number
  readonly inPlace?: boolean
  /** The schema does not know this key. */
  readonly unknown?: boolean
  /** Starts folded, to be opened on demand. */
  readonly folded?: boolean
  /** What the holder offers for this place besides: remove, move … */
  readonly holderMenu?: () => readonly MenuItem[]
  /** An item of a list: these buttons stand in place of “leave out”. */
  readonly holderActions?: ReactNode
}

/** One place of the draft with everything around its control. */
export const NodeField = memo(function NodeField(props: NodeFieldProps) {
  const { schema, path, label, required, depth } = props
  const { store, planner, secrets, registry, idPrefix } = useFormScope()
  const node = planner.plan(schema)
  const status = useDraftSelector(draft => statusOf(node, draft.get(path)))
  const issues = useIssues(path)
  const [asJson, setAsJson] = useState(false)
  const foldable = node.kind === 'object' && node.properties.length > 0
  const [folded, setFolded] = useState(props.folded ?? (foldable && depth > 3))
  const open = useDraftSelector(draft => !folded || draft.hasIssueBelow(path))
  const id = fieldId(idPrefix, path)
  const Frame = fromRegistry<FieldFrameProps>(registry.templates.FieldTemplate)
  const secret = node.kind === 'string' && node.control === 'text' && isSecretAt(path, secrets)
  const unset = props.inPlace ? startValue(node, planner) : undefined
  const isFolded = foldable && status !== 'absent' && !open
  const control: NodeControlProps = {
    node: secret ? { ...node, control: 'secret' } : node,
    schema,
    path,
    id,
    labelId: `${id}-label`,
    label,
    required,
    depth,
    status,
    asJson,
    inPlace: props.inPlace === true,
    described: textOf(node.schema.description) !== undefined,
    issues,
  }

  return (
    <Frame
      control={control}
      unknown={props.unknown === true}
      state={stateOf(node, status, store.get(path))}
      half={props.half === true && status !== 'misfit' && !asJson}
      onClear={status === 'absent' || props.holderActions ? undefined : () => store.set(path, undefined)}
      onNull={node.nullable ? on => store.set(path, on ? null : unset) : undefined}
      holderActions={props.holderActions}
      summary={isFolded ? preview(store.get(path)) : undefined}
      menu={() => [
        ...(props.holderMenu?.() ?? []),
        ...nodeMenu(store, planner, node, schema, path, { asJson, onJson: setAsJson }),
      ]}
      fold={
        foldable && status !== 'absent' ? (
          <MiniButton
            aria-expanded={open}
            aria-label={`${open ? 'Fold' : 'Unfold'} ${label}`}
            onClick={() => setFolded(open)}
          >
            {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </MiniButton>
        ) : null
      }
    >
      {!isFolded && <NodeControl {...control} />}
    </Frame>
  )
})
