import { ChevronDown, ChevronRight } from 'lucide-react'
import { memo, type ReactNode, useState } from 'react'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { type Path, toPointer } from '../../../../core/json/pointer.ts'
import { isSecretAt } from '../../../../core/secrets/is-secret.ts'
import type { JsonSchema } from '../../../../core/tool/tool.ts'
import styles from '../form.module.css'
import { fieldId, fromRegistry, useDraftSelector, useFormScope, useIssues } from '../form-scope.ts'
import type { FieldFrameProps } from '../theme/templates/field-frame.tsx'
import type { MenuItem } from './field-menu.tsx'
import { NodeControl } from './node-control.tsx'
import { nodeMenu, preview } from './node-menu.ts'
import { isChoice, nodeLabel, stateOf, statusOf, textOf } from './node-status.ts'
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

/** Groups have several controls of their own. */
const groups = new Set<FormNode['kind']>(['object', 'array', 'union', 'any', 'boolean', 'never'])

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
  const shown: FormNode = secret ? { ...node, control: 'secret' } : node
  const description = textOf(node.schema.description)
  const unset = props.inPlace ? startValue(node, planner) : undefined
  const plain = status === 'misfit' || asJson

  return (
    <Frame
      id={id}
      pointer={toPointer(path)}
      kind={asJson ? 'json' : node.kind}
      label={label}
      title={textOf(node.schema.title)}
      typeLabel={props.unknown ? 'not in the schema' : nodeLabel(node)}
      required={required}
      deprecated={node.schema.deprecated === true}
      group={plain || groups.has(node.kind) || status === 'null' || isChoice(node)}
      description={description}
      notices={node.notices}
      issues={issues}
      state={stateOf(node, status, store.get(path))}
      half={props.half === true && !plain}
      onClear={status === 'absent' || props.holderActions ? undefined : () => store.set(path, undefined)}
      onNull={node.nullable ? on => store.set(path, on ? null : unset) : undefined}
      isNull={status === 'null'}
      holderActions={props.holderActions}
      summary={foldable && !open && status !== 'absent' ? preview(store.get(path)) : undefined}
      menu={() => [
        ...(props.holderMenu?.() ?? []),
        ...nodeMenu(store, planner, node, schema, path, { asJson, onJson: setAsJson }),
      ]}
      fold={
        foldable && status !== 'absent' ? (
          <button
            type="button"
            className={styles.mini}
            aria-expanded={open}
            aria-label={`${open ? 'Fold' : 'Unfold'} ${label}`}
            onClick={() => setFolded(open)}
          >
            {open ? <ChevronDown size={14} aria-hidden /> : <ChevronRight size={14} aria-hidden />}
          </button>
        ) : null
      }
    >
      {foldable && !open && status !== 'absent' ? null : (
        <NodeControl
          node={shown}
          schema={schema}
          path={path}
          id={id}
          labelId={`${id}-label`}
          label={label}
          required={required}
          depth={depth}
          status={status}
          asJson={asJson}
          inPlace={props.inPlace === true}
          described={description !== undefined}
          issues={issues}
        />
      )}
    </Frame>
  )
})
