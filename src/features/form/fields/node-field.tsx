import { ChevronDown, ChevronRight } from 'lucide-react'
import { type ComponentType, memo, useState } from 'react'
import type { FormNode } from '../../../../core/schema/form-node.ts'
import { fitsNode } from '../../../../core/schema/form-schema.ts'
import { isJsonNumber, isJsonObject, type Json } from '../../../../core/schema/json-text.ts'
import { type Path, toPointer } from '../../../../core/schema/pointer.ts'
import { isSecret } from '../../../../core/schema/secret-name.ts'
import type { JsonSchema } from '../../../../core/tool.ts'
import { fieldId, useDraft, useFormScope, useIssues } from '../form-scope.ts'
import { nodeLabel } from '../node-label.ts'
import type { FieldFrameProps } from '../theme/templates/field-frame.tsx'
import type { MenuItem } from './field-menu.tsx'
import { nodeMenu } from './node-menu.ts'
import { NodeControl } from './node-control.tsx'

export interface NodeFieldProps {
  readonly schema: JsonSchema
  readonly path: Path
  readonly label: string
  readonly required: boolean
  readonly half?: boolean
  /** Levels of objects and lists above this one. */
  readonly depth: number
  /** The schema does not know this key. */
  readonly unknown?: boolean
  /** Starts folded, to be opened on demand. */
  readonly folded?: boolean
  /** What the holder offers for this place besides: remove, move … */
  readonly holderMenu?: () => readonly MenuItem[]
}

/** How the value stands to its control; a field renders again only when this changes. */
export type NodeStatus = 'absent' | 'fits' | 'null' | 'empty' | 'misfit'

/** Groups have several controls of their own. */
const groups = new Set<FormNode['kind']>(['object', 'array', 'union', 'any', 'boolean', 'never'])

/** One place of the draft with everything around its control. */
export const NodeField = memo(function NodeField(props: NodeFieldProps) {
  const { schema, path, label, required, depth } = props
  const { store, planner, registry, idPrefix } = useFormScope()
  const node = planner.plan(schema)
  const status = useDraft(draft => statusOf(node, draft.get(path)))
  const issues = useIssues(path)
  const [asJson, setAsJson] = useState(false)
  const foldable = node.kind === 'object' && node.properties.length > 0
  const [folded, setFolded] = useState(props.folded ?? (foldable && depth > 3))
  const open = useDraft(draft => !folded || draft.hasIssueBelow(path))
  const id = fieldId(idPrefix, path)
  const Frame = registry.templates.FieldTemplate as unknown as ComponentType<FieldFrameProps>
  const secret = node.kind === 'string' && node.control === 'text' && isSecret(label, node.schema)
  const shown: FormNode = secret ? { ...node, control: 'secret' } : node
  const description = textOf(node.schema.description)
  const plain = status === 'misfit' || asJson

  return (
    <Frame
      id={id}
      pointer={toPointer(path)}
      kind={asJson ? 'json' : node.kind}
      label={label}
      title={textOf(node.schema.title)}
      typeLabel={props.unknown ? 'not in the schema' : nodeLabel(node, planner)}
      required={required}
      deprecated={node.schema.deprecated === true}
      group={plain || groups.has(node.kind) || status === 'null' || isChoice(node)}
      description={description}
      notices={node.notices}
      issues={issues}
      state={stateOf(node, status, store.get(path))}
      half={props.half === true && !plain}
      onClear={status === 'absent' ? undefined : () => store.set(path, undefined)}
      onNull={node.nullable ? on => store.set(path, on ? null : undefined) : undefined}
      isNull={status === 'null'}
      menu={() => [
        ...(props.holderMenu?.() ?? []),
        ...nodeMenu(store, planner, node, schema, path, { asJson, onJson: setAsJson }),
      ]}
      fold={
        foldable && status !== 'absent' ? (
          <button
            type="button"
            className="f-mini"
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
          label={label}
          required={required}
          depth={depth}
          status={status}
          asJson={asJson}
          described={description !== undefined}
          issues={issues}
        />
      )}
    </Frame>
  )
})

/** Radio buttons are a group, a list to pick from is one control. */
export function isChoice(node: FormNode): boolean {
  return node.kind === 'boolean' || (node.kind === 'enum' && isSmall(node.options.map(option => option.label)))
}

/** Labels that fit side by side. */
export function isSmall(labels: readonly string[]): boolean {
  return labels.length <= 6 && labels.join('').length + labels.length * 3 <= 44
}

export function statusOf(node: FormNode, value: Json | undefined): NodeStatus {
  if (value === undefined) return 'absent'
  if (value === null && node.nullable) return 'null'
  // Half-typed numbers stay in the number's own control, as the text they are.
  if (node.kind === 'number' && typeof value === 'string' && isHalfTyped(value)) return 'fits'
  if (!fitsNode(node, value)) return 'misfit'
  if (typeof value === 'string' && hasHiddenCharacters(value)) return 'misfit'
  return isEmpty(value) ? 'empty' : 'fits'
}

/** `-`, `1e`, `0x`: a text that is no number. One that reads as a number is another value and must look like one. */
function isHalfTyped(text: string): boolean {
  return text !== '' && text.length < 40 && text.trim() === text && Number.isNaN(Number(text)) && !/[\r\n]/.test(text)
}

/** Characters that a text field would drop, change or hide: carriage returns, control characters, lone surrogates. */
function hasHiddenCharacters(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  return /[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029]|\p{Surrogate}/u.test(text)
}

function isEmpty(value: Json): boolean {
  if (value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isJsonObject(value) && !isJsonNumber(value) && Object.keys(value).length === 0
}

function stateOf(node: FormNode, status: NodeStatus, value: Json | undefined): string | undefined {
  if (status === 'null') return undefined
  if (status === 'empty') return value === '' ? 'empty text' : Array.isArray(value) ? 'empty list' : 'empty object'
  return status === 'absent' && (node.kind === 'object' || node.kind === 'array') ? 'not set' : undefined
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
