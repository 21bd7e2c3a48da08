/** Describes a broken keyword to the user who fills in the form. */

import { codePoints } from '../compat/numbers.ts'
import type { SchemaFailure } from '../compat/schema-failure.ts'
import { isJsonNumber, isObject, type Json, jsonType, numberText } from '../json/json.ts'
import { typePhrase, valueWord, withArticle } from '../schema/type-words.ts'
import { counted, shorten } from '../text/wording.ts'
import type { ValidationIssue } from '../tool/invocation.ts'
import { missingValue } from './read-issues.ts'
import { sampleFormat } from './sample-format.ts'
import { textExample } from './text-example.ts'

const maxListed = 8
const maxLength = 60

export type IssueWords = Pick<ValidationIssue, 'message' | 'details'>

/**
 * Returns a message that begins with its verb (`must be one of dev, prod`), because the page shows it next to the
 * field's name. The details hold what only the schema's author can read, such as a pattern.
 * @param value the value that breaks the keyword; `undefined` if it is absent
 */
export function issueWords({ keyword, limit, schema }: SchemaFailure, value: Json | undefined): IssueWords {
  if (keyword === 'pattern') return patternWords(String(limit), schema)
  if (keyword === 'not')
    return { message: 'must not be what the schema excludes', details: `excluded: ${short(limit)}` }
  return { message: describeViolation(keyword, limit, value) }
}

/** @param limit the keyword's value in the schema (`80` of `maxLength: 80`) */
function describeViolation(keyword: string, limit: unknown, value: Json | undefined): string {
  const number = typeof limit === 'number' ? limit : 0
  const noun = parts.get(keyword)
  if (number === 1 && keyword === 'minLength') return 'must not be empty'
  if (number === 1 && keyword === 'minItems') return 'must have an item'
  if (noun !== undefined) {
    const verb = noun === 'character' ? 'be' : 'have'
    const side = keyword.startsWith('min') ? 'at least' : 'at most'
    return `must ${verb} ${side} ${counted(number, noun)}, ${verb === 'be' ? 'is' : 'has'} ${measureLength(value)}`
  }
  const side = bounds.get(keyword)
  if (side !== undefined) return `${side} ${number}, is ${formatNumber(value)}`
  switch (keyword) {
    case 'type':
      return value === undefined
        ? missingValue
        : `must be ${typePhrase([limit].flat().map(String))}, is ${withArticle(valueWord(value))}`
    case 'enum':
      return `must be one of ${listed(Array.isArray(limit) ? limit : [])}`
    case 'const':
      return `must be ${short(limit)}`
    case 'format':
      return formatMessage(String(limit))
    case 'multipleOf':
      return number === 1
        ? 'must be a whole number'
        : `must be a multiple of ${number}, is ${formatNumber(value)}`
    default:
      return fixed.get(keyword) ?? `breaks the schema's rule “${keyword}”`
  }
}

/** The parts of a value that each keyword counts. */
const parts = new Map([
  ['minLength', 'character'],
  ['maxLength', 'character'],
  ['minItems', 'item'],
  ['maxItems', 'item'],
  ['minProperties', 'key'],
  ['maxProperties', 'key'],
])

const bounds = new Map([
  ['minimum', 'must be at least'],
  ['exclusiveMinimum', 'must be more than'],
  ['maximum', 'must be at most'],
  ['exclusiveMaximum', 'must be less than'],
])

const fixed = new Map([
  ['required', missingValue],
  ['uniqueItems', 'must not hold the same item twice'],
  ['contains', 'holds too few items of the kind that the schema asks for'],
  ['minContains', 'holds too few items of the kind that the schema asks for'],
  ['maxContains', 'holds too many items of the kind that the schema limits'],
  ['propertyNames', 'this key is not allowed here'],
  ['false', 'is not known to the schema'],
  ['anyOf', 'fits none of the shapes that the schema offers'],
  ['oneOf', 'must fit exactly one of the shapes that the schema offers'],
])

function patternWords(pattern: string, schema: unknown): IssueWords {
  const example = textExample(isObject(schema) ? schema : {}, pattern)
  const message = example === undefined ? 'must match the pattern of the schema' : `must look like ${example}`
  return { message, details: `pattern ${pattern}` }
}

function formatMessage(format: string): string {
  const sample = sampleFormat(format)
  return sample === undefined ? `must be a valid ${format}` : `must be a valid ${format}, like ${sample}`
}

function listed(values: readonly unknown[]): string {
  const text = values.slice(0, maxListed).map(plain).join(', ')
  return values.length > maxListed ? `${text} … (${values.length} in all)` : text
}

/** Returns a word without quotes, unless it could be read as another value. */
function plain(value: unknown): string {
  return typeof value === 'string' && /^[\p{L}_][\p{L}\p{N}_./:@+-]*$/u.test(value) && !literals.has(value)
    ? shorten(value, maxLength)
    : short(value)
}

const literals = new Set(['true', 'false', 'null'])

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return shorten(text, maxLength)
}

function formatNumber(value: Json | undefined): string {
  return isJsonNumber(value) ? numberText(value) : 'no number'
}

/** Returns the number of characters (code points, as JSON Schema counts them), items or keys. */
function measureLength(value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'string') return codePoints(value)
  if (Array.isArray(value)) return value.length
  return jsonType(value) === 'object' ? Object.keys(value as object).length : 0
}
