/** What a broken keyword means, in words for the person who fills the form. */

import { isJsonNumber, type Json, jsonType, numberText } from '../json/json.ts'
import { typeWord, valueWord } from '../json-schema/type-words.ts'
import { pseudoRandom } from '../sample/random.ts'
import { sampleFormat } from '../sample/sample-format.ts'
import { samplePattern } from '../sample/sample-pattern.ts'
import { counted } from '../text/wording.ts'

const maxListed = 8
const maxLength = 60

/**
 * A sentence without its subject (`must be one of "dev", "prod"`): the field's name stands beside it.
 * @param limit the keyword's value in the schema (`80` of `maxLength: 80`)
 * @param value what stands there; `undefined` when nothing does
 */
export function issueMessage(keyword: string, limit: unknown, value: Json | undefined): string {
  const number = typeof limit === 'number' ? limit : 0
  switch (keyword) {
    case 'required':
      return 'is required'
    case 'type':
      return value === undefined ? 'is required' : `must be ${typePhrase(limit)}, is ${valueWord(value)}`
    case 'enum':
      return `must be one of ${listed(Array.isArray(limit) ? limit : [])}`
    case 'const':
      return `must be ${short(limit)}`
    case 'minLength':
      return number === 1
        ? 'must not be empty'
        : `at least ${counted(number, 'character')}, has ${lengthOf(value)}`
    case 'maxLength':
      return `at most ${counted(number, 'character')}, has ${lengthOf(value)}`
    case 'pattern':
      return patternMessage(String(limit))
    case 'format':
      return formatMessage(String(limit))
    case 'minimum':
      return `at least ${number}, is ${numberOf(value)}`
    case 'exclusiveMinimum':
      return `must be more than ${number}, is ${numberOf(value)}`
    case 'maximum':
      return `at most ${number}, is ${numberOf(value)}`
    case 'exclusiveMaximum':
      return `must be less than ${number}, is ${numberOf(value)}`
    case 'multipleOf':
      return number === 1
        ? 'must be a whole number'
        : `must be a multiple of ${number}, is ${numberOf(value)}`
    case 'minItems':
      return number === 1
        ? 'must have an item'
        : `at least ${counted(number, 'item')}, has ${lengthOf(value)}`
    case 'maxItems':
      return `at most ${counted(number, 'item')}, has ${lengthOf(value)}`
    case 'uniqueItems':
      return 'must not hold the same item twice'
    case 'contains':
    case 'minContains':
      return 'holds too few items of the kind that the schema asks for'
    case 'maxContains':
      return 'holds too many items of the kind that the schema limits'
    case 'minProperties':
      return `at least ${counted(number, 'key')}, has ${lengthOf(value)}`
    case 'maxProperties':
      return `at most ${counted(number, 'key')}, has ${lengthOf(value)}`
    case 'propertyNames':
      return 'this key is not allowed here'
    case 'false':
      return 'is not known to the schema'
    case 'not':
      return `must not be what the schema excludes: ${short(limit)}`
    case 'anyOf':
      return 'fits none of the shapes that the schema offers'
    case 'oneOf':
      return 'must fit exactly one of the shapes that the schema offers'
    default:
      return `breaks the schema's rule “${keyword}”`
  }
}

function typePhrase(type: unknown): string {
  const names = (Array.isArray(type) ? type : [type]).map(name => typeWord(String(name)))
  const [only = ''] = names
  if (names.length > 1) return `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
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
