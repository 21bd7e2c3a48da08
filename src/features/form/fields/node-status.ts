import { bestBranch, branchHolds } from '../../../../core/form/branch-match.ts'
import type { FormNode } from '../../../../core/form/form-node.ts'
import { type FormPlanner, fitsNode } from '../../../../core/form/form-schema.ts'
import { jsonEquals } from '../../../../core/json/equality.ts'
import { isJsonNumber, isObject, type Json } from '../../../../core/json/json.ts'
import { readNumber } from '../../../../core/json/json-text.ts'
import { typeLabel } from '../../../../core/schema/describe.ts'
import { texts } from '../texts.ts'
import { preview } from './node-menu.ts'

/** How the value fits its control. A field renders again only when this changes. */
export type NodeStatus = 'absent' | 'fits' | 'null' | 'empty' | 'misfit'

/** Returns whether the control is a group of radio buttons; a select is one control. */
export function isChoice(node: FormNode): boolean {
  return (
    node.kind === 'boolean' || (node.kind === 'enum' && isSmall(node.options.map(option => option.label)))
  )
}

/** Returns whether the labels fit in one row. */
export function isSmall(labels: readonly string[]): boolean {
  return labels.length <= 6 && labels.join('').length + labels.length * 3 <= 44
}

export function getNodeStatus(node: FormNode, value: Json | undefined): NodeStatus {
  if (value === undefined) return 'absent'
  if (value === null && node.nullable) return 'null'
  // An incomplete number stays in the number's control, as text.
  if (node.kind === 'number' && typeof value === 'string' && isHalfTyped(value))
    return value === '' ? 'empty' : 'fits'
  if (!fitsNode(node, value)) return 'misfit'
  if (typeof value === 'string' && hasHiddenCharacters(value)) return 'misfit'
  if (node.kind === 'string' && oneLine.has(node.control) && String(value).includes('\n')) return 'misfit'
  return isEmpty(value) ? 'empty' : 'fits'
}

/** Controls for a single line of text. */
const oneLine = new Set(['date', 'time', 'date-time', 'uuid', 'color', 'binary'])

/** Returns whether a number's control may show the text: `-`, `1.`, `1e`. The text `5` is a misfit, not the number. */
function isHalfTyped(text: string): boolean {
  return text.length < 40 && text.trim() === text && readNumber(text) === null && !/[\r\n]/.test(text)
}

/** Returns whether a text field would change or hide a character: carriage return, control, lone surrogate. */
function hasHiddenCharacters(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are the characters to find
  return /[\u0000-\u0008\u000b-\u001f\u007f\u2028\u2029]|\p{Surrogate}/u.test(text)
}

function isEmpty(value: Json): boolean {
  if (value === '') return true
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && !isJsonNumber(value) && Object.keys(value).length === 0
}

/** Returns in words the state that an empty or absent control cannot show. */
export function describeNodeState(
  node: FormNode,
  status: NodeStatus,
  value: Json | undefined,
): string | undefined {
  if (status === 'null') return undefined
  if (status === 'empty')
    return value === '' ? texts.emptyText : Array.isArray(value) ? 'empty list' : 'empty object'
  return status === 'absent' && (node.kind === 'object' || node.kind === 'array') ? texts.notSet : undefined
}

export function readNonBlankText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}

/** Returns the type label at a field's right, with references followed and `allOf` merged. */
export function nodeLabel(node: FormNode): string {
  const label = ownLabel(node)
  return node.nullable && !label.endsWith('or null') ? `${label} or null` : label
}

function ownLabel(node: FormNode): string {
  switch (node.kind) {
    case 'union':
      return `one of ${node.branches.length}`
    case 'enum':
      return `enum · ${node.options.length}`
    case 'array':
      return node.prefix.length > 0 ? `tuple of ${node.prefix.length}` : typeLabel(node.schema)
    case 'never':
      return 'not allowed'
    default:
      return typeLabel(node.schema)
  }
}

/** Returns the default in the control's words: `default: high`. Undefined without a default. */
export function presetText(node: FormNode, planner: FormPlanner): string | undefined {
  const preset = node.schema.default as Json | undefined
  return preset === undefined ? undefined : `default: ${inWords(node, preset, planner)}`
}

function inWords(node: FormNode, preset: Json, planner: FormPlanner): string {
  if (node.kind === 'enum') {
    const option = node.options.find(each => jsonEquals(each.value, preset))
    if (option) return option.label
  }
  if (node.kind === 'union' && isObject(preset)) {
    const branch = node.branches[bestBranch(planner, node.branches, preset)]
    if (branch && branchHolds(planner, branch, preset)) return branch.label
  }
  return node.kind === 'string' && typeof preset === 'string' && preset !== '' ? preset : preview(preset)
}

/** Returns whether the empty control itself shows the default, as its placeholder or as the entry for no choice. */
export function showsPreset(node: FormNode, widget: unknown): boolean {
  if (typeof widget === 'string' && /radio|checkbox|range|select/i.test(widget)) return false
  return node.kind === 'string' || node.kind === 'number' || (node.kind === 'enum' && !isChoice(node))
}

/** Unions can refer to each other in a circle. */
const maxUnionDepth = 20

/** Returns the initial value of a new item: in a list, a value cannot be absent. */
export function startValue(node: FormNode, planner: FormPlanner, depth = 0): Json {
  switch (node.kind) {
    case 'object':
      return {}
    case 'array':
      return []
    case 'boolean':
      return false
    case 'number':
      return Number(node.schema.minimum ?? 0)
    case 'const':
      return node.value
    case 'enum':
      return node.options[0]?.value ?? null
    case 'union': {
      const [first] = node.branches
      return first && depth < maxUnionDepth ? startValue(planner.plan(first.schema), planner, depth + 1) : ''
    }
    case 'null':
    case 'never':
      return null
    default:
      return ''
  }
}
