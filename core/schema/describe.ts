import { isObject, own, type UnknownObject } from '../json/json.ts'
import { pointerSegments } from '../json/pointer.ts'
import { shorten } from '../text/wording.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { writtenBound } from './keywords.ts'

const maxDepth = 3

/**
 * Returns a short label of a schema for the margin of a field: `string · ^b-[0-9]+$`, `integer · 1–50`, `enum · 3`,
 * `map of string`, `array of string`, `one of 2`, `date-time`. A `$ref` gives its last segment. Accepts any JSON;
 * returns at most 80 characters.
 */
export function typeLabel(schema: JsonSchema): string {
  return shorten(label(schema, 0), 80)
}

function label(schema: unknown, depth: number): string {
  if (schema === false) return 'nothing'
  if (!isObject(schema)) return 'any JSON'
  if (depth > maxDepth) return '…'
  if (Object.hasOwn(schema, 'const')) return constant(schema.const)
  const choices = own(schema, 'enum')
  if (Array.isArray(choices)) return `enum · ${choices.length}`
  const reference = own(schema, '$ref')
  if (typeof reference === 'string') return lastSegment(reference)
  return alternatives(schema, depth) ?? typed(schema, depth)
}

function constant(value: unknown): string {
  if (typeof value === 'object' && value !== null) return 'always the same'
  return `always ${typeof value === 'string' ? JSON.stringify(shorten(value, 40)) : String(value)}`
}

function alternatives(schema: UnknownObject, depth: number): string | undefined {
  for (const keyword of ['oneOf', 'anyOf']) {
    const branches = own(schema, keyword)
    if (!Array.isArray(branches) || branches.length === 0) continue
    const others = branches.filter(branch => !(isObject(branch) && own(branch, 'type') === 'null'))
    if (others.length === 0) return 'null'
    const what = others.length === 1 ? label(others[0], depth + 1) : `one of ${others.length}`
    return others.length < branches.length ? orNull(what) : what
  }
  const all = own(schema, 'allOf')
  if (!Array.isArray(all) || Object.hasOwn(schema, 'type')) return undefined
  return all.length === 1 ? label(all[0], depth + 1) : 'object'
}

function typed(schema: UnknownObject, depth: number): string {
  const declared = own(schema, 'type')
  if (Array.isArray(declared)) {
    const types = declared.filter(isNamed)
    const [only, ...more] = types.filter(type => type !== 'null')
    if (only === undefined) return types.includes('null') ? 'null' : 'any JSON'
    if (more.length > 0) return types.join(' or ')
    const what = ofType(only, schema, depth)
    return types.includes('null') ? orNull(what) : what
  }
  return ofType(isNamed(declared) ? declared : guessType(schema), schema, depth)
}

function isNamed(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

function guessType(schema: UnknownObject): string {
  if (Object.hasOwn(schema, 'properties')) return 'object'
  if (Object.hasOwn(schema, 'items')) return 'array'
  return Object.hasOwn(schema, 'pattern') || Object.hasOwn(schema, 'format') ? 'string' : 'any JSON'
}

function ofType(type: string, schema: UnknownObject, depth: number): string {
  switch (type) {
    case 'string':
      return stringLabel(schema)
    case 'integer':
    case 'number':
      return joined(type, rangeText(schema, 'minimum', 'maximum'), step(schema))
    case 'array': {
      const items = own(schema, 'items')
      const what = isObject(items) ? `array of ${plain(label(items, depth + 1))}` : 'array'
      return joined(what, countText(schema, 'minItems', 'maxItems', 'item'))
    }
    case 'object': {
      const values = own(schema, 'additionalProperties')
      const isMap = isObject(values) && !Object.hasOwn(schema, 'properties')
      return isMap ? `map of ${plain(label(values, depth + 1))}` : 'object'
    }
    default:
      return shorten(type, 40)
  }
}

function stringLabel(schema: UnknownObject): string {
  // A format says more than the pattern that a generator adds to it.
  const format = own(schema, 'format')
  if (isNamed(format)) return shorten(format, 40)
  const pattern = own(schema, 'pattern')
  if (isNamed(pattern)) return joined('string', shorten(pattern, 40))
  return joined('string', countText(schema, 'minLength', 'maxLength', 'character'))
}

/** Returns `1–50`, `≥ 1`, `> 0, ≤ 9`. */
export function rangeText(
  schema: UnknownObject,
  lowKeyword: string,
  highKeyword: string,
): string | undefined {
  const bound = (keyword: string) => writtenBound(schema, keyword)
  const above = lowKeyword === 'minimum' ? bound('exclusiveMinimum') : undefined
  const below = highKeyword === 'maximum' ? bound('exclusiveMaximum') : undefined
  const low = bound(lowKeyword)
  const high = bound(highKeyword)
  if (low !== undefined && high !== undefined) return low === high ? `${low}` : `${low}–${high}`
  const lower = low !== undefined ? `≥ ${low}` : above !== undefined && `> ${above}`
  const upper = high !== undefined ? `≤ ${high}` : below !== undefined && `< ${below}`
  return [lower, upper].filter(Boolean).join(', ') || undefined
}

/** Returns `1–50 characters`, `at least 1 item`, `at most 80 characters`. */
function countText(
  schema: UnknownObject,
  lowKeyword: string,
  highKeyword: string,
  noun: string,
): string | undefined {
  const [low, high] = [writtenBound(schema, lowKeyword), writtenBound(schema, highKeyword)]
  const counted = (count: number | string) => `${count} ${noun}${count === 1 ? '' : 's'}`
  if (low !== undefined && high !== undefined) return counted(low === high ? low : `${low}–${high}`)
  if (low !== undefined) return `at least ${counted(low)}`
  return high === undefined ? undefined : `at most ${counted(high)}`
}

function step(schema: UnknownObject): string | undefined {
  const multiple = own(schema, 'multipleOf')
  return typeof multiple === 'number' ? `step ${multiple}` : undefined
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(' · ')
}

/** Returns a label without its details, to put it inside another: `array of integer`. */
function plain(inner: string): string {
  return inner.split(' · ', 1)[0] ?? inner
}

/** `integer · 1–50` → `integer or null · 1–50`. */
function orNull(what: string): string {
  const [type = '', ...details] = what.split(' · ')
  return [`${type} or null`, ...details].join(' · ')
}

function lastSegment(reference: string): string {
  const segment = reference.slice(-200).split(/[/#]/u).at(-1)
  return isNamed(segment) ? shorten(pointerSegments(`/${segment}`).join('/'), 40) : 'the same again'
}
