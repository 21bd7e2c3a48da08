/** What a broken keyword means, in words for the person who fills the form. */

import { isJsonNumber, type Json, jsonType, numberText } from '../json/json.ts'
import { typeWord, valueWord } from '../json-schema/type-words.ts'
import { pseudoRandom } from '../sample/random.ts'
import { sampleFormat } from '../sample/sample-format.ts'
import { samplePattern } from '../sample/sample-pattern.ts'
import { counted, listWords } from '../text/wording.ts'

const maxListed = 8
const maxLength = 60

/**
 * A sentence without its subject (`must be one of "dev", "prod"`): the field's name stands beside it.
 * @param limit the keyword's value in the schema (`80` of `maxLength: 80`)
 * @param value what stands there; `undefined` when nothing does
 */
export function issueMessage(keyword: string, limit: unknown, value: Json | undefined): string {
  const number = typeof limit === 'number' ? limit : 0
  const noun = parts.get(keyword)
  if (number === 1 && keyword === 'minLength') return 'must not be empty'
  if (number === 1 && keyword === 'minItems') return 'must have an item'
  if (noun !== undefined) {
    const side = keyword.startsWith('min') ? 'at least' : 'at most'
    return `${side} ${counted(number, noun)}, has ${lengthOf(value)}`
  }
  const side = bounds.get(keyword)
  if (side !== undefined) return `${side} ${number}, is ${numberOf(value)}`
  switch (keyword) {
    case 'type':
      return value === undefined ? 'is required' : `must be ${typePhrase(limit)}, is ${valueWord(value)}`
    case 'enum':
      return `must be one of ${listed(Array.isArray(limit) ? limit : [])}`
    case 'const':
      return `must be ${short(limit)}`
    case 'pattern':
      return patternMessage(String(limit))
    case 'format':
      return formatMessage(String(limit))
    case 'multipleOf':
      return number === 1
        ? 'must be a whole number'
        : `must be a multiple of ${number}, is ${numberOf(value)}`
    case 'not':
      return `must not be what the schema excludes: ${short(limit)}`
    default:
      return fixed.get(keyword) ?? `breaks the schema's rule “${keyword}”`
  }
}

/** What the keyword counts. */
const parts = new Map([
  ['minLength', 'character'],
  ['maxLength', 'character'],
  ['minItems', 'item'],
  ['maxItems', 'item'],
  ['minProperties', 'key'],
  ['maxProperties', 'key'],
])

const bounds = new Map([
  ['minimum', 'at least'],
  ['exclusiveMinimum', 'must be more than'],
  ['maximum', 'at most'],
  ['exclusiveMaximum', 'must be less than'],
])

const fixed = new Map([
  ['required', 'is required'],
  ['uniqueItems', 'must not hold the same item twice'],
  ['contains', 'holds too few items of the kind that the schema asks for'],
  ['minContains', 'holds too few items of the kind that the schema asks for'],
  ['maxContains', 'holds too many items of the kind that the schema limits'],
  ['propertyNames', 'this key is not allowed here'],
  ['false', 'is not known to the schema'],
  ['anyOf', 'fits none of the shapes that the schema offers'],
  ['oneOf', 'must fit exactly one of the shapes that the schema offers'],
])

function typePhrase(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map(name => typeWord(String(name)))
  const [only = ''] = names
  if (names.length > 1) return listWords(names)
  return /^(?:text|null|true or false)$/.test(only) ? only : `${/^[aeio]/.test(only) ? 'an' : 'a'} ${only}`
}

function patternMessage(pattern: string): string {
  const sample = samplePattern(pattern, pseudoRandom(11))
  return sample === null || sample.length > maxLength
    ? `must match the pattern ${pattern}`
    : `must look like ${sample === '' ? '""' : sample} (pattern ${pattern})`
}

function formatMessage(format: string): string {
  const sample = sampleFormat(format)
  return sample === undefined ? `must be a valid ${format}` : `must be a valid ${format}, like ${sample}`
}

function listed(values: readonly unknown[]): string {
  const shown = values.slice(0, maxListed).map(short).join(', ')
  return values.length > maxListed ? `${shown} … (${values.length} in all)` : shown
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}

function numberOf(value: Json | undefined): string {
  return isJsonNumber(value) ? numberText(value) : 'no number'
}

/** Characters as JSON Schema counts them (code points), items or keys. */
function lengthOf(value: Json | undefined): number {
  if (value === undefined || value === null) return 0
  if (typeof value === 'string') return [...value].length
  if (Array.isArray(value)) return value.length
  return jsonType(value) === 'object' ? Object.keys(value as object).length : 0
}
