/** Describes one level of a schema in plain words. All texts are safe to show. */

import type { FormNode } from '../../../core/form/form-node.ts'
import type { FormPlanner } from '../../../core/form/form-schema.ts'
import { type Json, jsonType } from '../../../core/json/json.ts'
import { writeJson } from '../../../core/json/json-text.ts'
import { planSchema } from '../../../core/prompt/usage-line.ts'
import { plainLine, plainText } from '../../../core/text/plain-text.ts'
import { listWords, shorten } from '../../../core/text/wording.ts'
import type { JsonSchema } from '../../../core/tool/tool.ts'

const maxValueCharacters = 500
const maxDescriptionCharacters = 10_000
const maxExamples = 5
const maxTypeDepth = 3

/** Returns the type in words: `array of integer`, `number or null`, `always "rolling"`, `one of 3 variants`. */
export function typeWords(planner: FormPlanner, node: FormNode, depth = 0): string {
  const type = depth > maxTypeDepth ? '…' : bareType(planner, node, depth)
  return node.nullable ? `${type} or null` : type
}

function bareType(planner: FormPlanner, node: FormNode, depth: number): string {
  const inner = (schema: JsonSchema) => typeWords(planner, planSchema(planner, schema), depth + 1)
  switch (node.kind) {
    case 'never':
      return 'nothing'
    case 'any':
      return 'any JSON'
    case 'const':
      return `always ${valueText(node.value)}`
    case 'enum':
      return listWords([...new Set(node.options.map(({ value }) => jsonType(value)))])
    case 'union':
      return `one of ${node.branches.length} variants`
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

export function formatDescription({ schema }: FormNode): string {
  const { description } = schema
  return typeof description === 'string'
    ? plainText(shorten(description, maxDescriptionCharacters)).trim()
    : ''
}

/** Returns the default as JSON on one line; undefined without a default. */
export function formatDefault({ schema }: FormNode): string | undefined {
  return schema.default === undefined ? undefined : valueText(schema.default)
}

/** Returns the author's own examples as JSON, at most five. */
export function listExamples({ schema: { examples, example } }: FormNode): string[] {
  const offered = Array.isArray(examples) ? examples : example === undefined ? [] : [example]
  return offered.slice(0, maxExamples).map(valueText)
}

export interface FixedValue {
  /** JSON on one line. */
  readonly text: string
  /** The author's description of the value; empty without one. */
  readonly about: string
}

/** Returns the allowed values of a field, or the suggestions for a text; empty without a list. */
export function listFixedValues(node: FormNode): FixedValue[] {
  if (node.kind === 'string') return node.suggestions.map(value => ({ text: valueText(value), about: '' }))
  if (node.kind !== 'enum') return []
  return node.options.map(({ value, label, description = '' }) => {
    const text = valueText(value)
    const isOwnLabel = label !== value && label !== text
    return { text, about: [isOwnLabel ? label : '', description].filter(Boolean).map(plainLine).join(': ') }
  })
}

/** Matches a text that JSON does not escape: most are, and enums are long. */
const isPlain = /^[ !#-[\]-~]*$/

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
