/** One row of a man page: a field, the items of a list, or one variant of a choice. */

import type { FormNode } from '../form/form-node.ts'
import type { FormPlanner } from '../form/form-schema.ts'
import type { Json } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { plainLine, plainText } from '../text/plain-text.ts'
import { shorten } from '../text/wording.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { constraintsOf } from './constraints.ts'
import { nodeOf } from './tool-fields.ts'

export interface Choice {
  readonly value: Json
  /** The value as JSON on one line, safe for a terminal: `"dev"`. */
  readonly text: string
  /** The author's label, where there is one. */
  readonly label?: string
  readonly description?: string
}

/** Exact keys and positions from the root of an input; `null` is a new item of a list. */
export type InputPath = readonly (string | number | null)[]

/** All texts are safe for a terminal. */
export interface ManRow {
  /** For people: `items[].service`, `labels.<key>`. A variant has the path of its choice. */
  readonly path: string
  readonly role: 'field' | 'item' | 'other keys' | 'variant'
  /** The exact key, where the row is a field at the top. */
  readonly name?: string
  /** The location of its value in an input; absent below unnamed keys. */
  readonly inputPath?: InputPath
  /** Name of a variant. */
  readonly label?: string
  /** 0 at the top. */
  readonly depth: number
  readonly required: boolean
  /** `string`, `array of integer`, `one of 3`, `integer or null`. */
  readonly type: string
  readonly constraints: readonly string[]
  /** The fixed values it can have; empty where there is no list. */
  readonly choices: readonly Choice[]
  /** As JSON on one line. */
  readonly preset?: string
  /** The author's own examples, as JSON, at most five. */
  readonly examples: readonly string[]
  readonly description?: string
  /** Which parts of its schema could not be read, and whether it repeats a part above. */
  readonly notices: readonly string[]
}

const maxValueCharacters = 500
const maxExamples = 5
const maxTypeDepth = 3

/** What one level of a schema says about itself. */
export function rowFacts(
  planner: FormPlanner,
  node: FormNode,
): Pick<ManRow, 'type' | 'constraints' | 'choices' | 'preset' | 'examples' | 'description' | 'notices'> {
  const { description, default: preset, examples, example } = node.schema
  const text = typeof description === 'string' ? plainText(description).trim() : ''
  const offered = Array.isArray(examples) ? examples : example === undefined ? [] : [example]
  return {
    type: typeOf(planner, node),
    constraints: constraintsOf(node),
    choices: choicesOf(node),
    ...(preset !== undefined && { preset: valueText(preset) }),
    examples: offered.slice(0, maxExamples).map(valueText),
    ...(text !== '' && { description: text }),
    notices: node.notices.map(plainLine),
  }
}

/** A text that JSON and a terminal show as it is: most are, and enums are long. */
const isPlain = /^[ !#-[\]-~]*$/

/** A value as JSON on one line, shortened, safe for a terminal. */
function valueText(value: unknown): string {
  if (typeof value === 'string' && value.length < maxValueCharacters && isPlain.test(value))
    return `"${value}"`
  let text: string
  try {
    text = writeJson(value as Json, 0)
  } catch {
    return '…'
  }
  return shorten(plainLine(text), maxValueCharacters)
}

/** A type in plain words: `array of integer`, `map of string`, `number or null`, `always "rolling"`, `one of 3`. */
function typeOf(planner: FormPlanner, node: FormNode, depth = 0): string {
  const type = depth > maxTypeDepth ? '…' : bareType(planner, node, depth)
  return node.nullable ? `${type} or null` : type
}

function bareType(planner: FormPlanner, node: FormNode, depth: number): string {
  const inner = (schema: JsonSchema) => typeOf(planner, nodeOf(planner, schema), depth + 1)
  switch (node.kind) {
    case 'never':
      return 'nothing'
    case 'any':
      return 'any JSON'
    case 'const':
      return `always ${valueText(node.value)}`
    case 'union':
      return `one of ${node.branches.length}`
    case 'number':
      return node.integer ? 'integer' : 'number'
    case 'array':
      return node.prefix.length > 0 || typeof node.items === 'boolean'
        ? 'array'
        : `array of ${inner(node.items)}`
    case 'object': {
      const isMap = node.properties.length === 0 && typeof node.additional === 'object'
      return isMap ? `map of ${inner(node.additional)}` : 'object'
    }
    default:
      return node.kind
  }
}

function choicesOf(node: FormNode): Choice[] {
  if (node.kind === 'string')
    return node.suggestions.map(suggestion => ({ ...choice(suggestion), description: 'suggested' }))
  if (node.kind !== 'enum') return []
  return node.options.map(({ value, label, description }) => {
    const plain = plainLine(label)
    const text = valueText(value)
    const isOwnLabel = plain !== text && JSON.stringify(plain) !== text
    return {
      ...choice(value),
      ...(isOwnLabel && { label: plain }),
      ...(description !== undefined && { description: plainLine(description) }),
    }
  })
}

function choice(value: Json): Choice {
  return { value, text: valueText(value) }
}
