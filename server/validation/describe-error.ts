/** Ajv's errors as sentences for people, with what was expected and what stands there. */

import type { ErrorObject } from 'ajv'
import type { ValidationIssue } from '../../core/call/invocation.ts'
import { pointerSegments, pointerStep, valueAt } from '../../core/json/pointer.ts'
import { counted } from '../../core/text/wording.ts'

/** Errors that only sum up others (`must match a schema in anyOf`): shown when nothing better is known. */
export function isSummary(error: ErrorObject): boolean {
  return error.keyword === 'anyOf' || error.keyword === 'if' || error.keyword === '$ref'
}

export function describeError(error: ErrorObject, root: unknown): ValidationIssue {
  const path = placeOf(error)
  const issue = {
    path,
    keyword: error.keyword,
    message: sentence(error),
    actual: shortType(valueAt(root, pointerSegments(path))),
  }
  const expected = expectation(error)
  return expected === undefined ? issue : { ...issue, expected }
}

/** A missing or a surplus property is reported at the property, where the reader looks for it. */
function placeOf(error: ErrorObject): string {
  const { params, instancePath } = error
  const property = params.missingProperty ?? params.additionalProperty ?? params.unevaluatedProperty
  return typeof property === 'string' ? `${instancePath}${pointerStep(property)}` : instancePath
}

function sentence(error: ErrorObject): string {
  const { params, data } = error
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
    case 'unevaluatedProperties':
      return 'is not a property that the schema allows'
    case 'type':
      return `must be ${article(expectation(error) ?? '')}, is ${shortType(data)}`
    case 'enum':
      return `must be one of ${listOf(params.allowedValues)}`
    case 'const':
      return `must be ${shortJson(params.allowedValue)}`
    case 'pattern':
      return `must match the pattern ${params.pattern}`
    case 'format':
      return `must be a valid ${params.format}`
    case 'minLength':
      return `must have at least ${counted(params.limit, 'character')}, has ${lengthOf(data)}`
    case 'maxLength':
      return `must have at most ${counted(params.limit, 'character')}, has ${lengthOf(data)}`
    case 'minItems':
      return `must have at least ${counted(params.limit, 'item')}, has ${lengthOf(data)}`
    case 'maxItems':
      return `must have at most ${counted(params.limit, 'item')}, has ${lengthOf(data)}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    case 'exclusiveMinimum':
      return `must be more than ${params.limit}`
    case 'exclusiveMaximum':
      return `must be less than ${params.limit}`
    case 'multipleOf':
      return `must be a multiple of ${params.multipleOf}`
    case 'uniqueItems':
      return `must not hold the same item twice (items ${params.j} and ${params.i})`
    case 'false schema':
      return 'is not allowed here'
    default:
      return error.message ?? `breaks "${error.keyword}"`
  }
}

function expectation(error: ErrorObject): string | undefined {
  const { params } = error
  if (error.keyword === 'type')
    return Array.isArray(params.type) ? params.type.join(' or ') : String(params.type)
  if (error.keyword === 'enum') return `one of ${listOf(params.allowedValues)}`
  if (error.keyword === 'const') return shortJson(params.allowedValue)
  if (error.keyword === 'format') return String(params.format)
  if (error.keyword === 'required') return 'a value'
  return undefined
}

/** `boolean`, `string "yes"`, `array of 3`, `nothing`. */
export function shortType(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (value === null) return 'null'
  if (Array.isArray(value)) return `array of ${value.length}`
  if (typeof value === 'object') return 'object'
  if (typeof value === 'string') return `string ${shortJson(value)}`
  return `${typeof value} ${shortJson(value)}`
}

const article = (text: string) =>
  /^(array|integer|object)/.test(text) ? `an ${text}` : text === 'null' ? text : `a ${text}`
const lengthOf = (value: unknown) =>
  typeof value === 'string' ? [...value].length : Array.isArray(value) ? value.length : '?'

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > 60 ? `${text.slice(0, 59)}…` : text
}

function listOf(values: unknown): string {
  const list = Array.isArray(values) ? values : []
  const shown = list.slice(0, 8).map(shortJson).join(', ')
  return list.length > 8 ? `${shown} … (${list.length})` : shown
}
