/** Equality of JSON values, and a canonical text that all equal values share. */
import { isJsonNumber, isObject, type JsonNumber, numberText, type UnknownObject } from './json.ts'

/** Deeper values are never equal and never sorted, so that a hostile value cannot exhaust the stack. */
const maxDepth = 400

/**
 * Returns whether two values are equal as JSON: the order of members does not count, and numbers are compared by value
 * (`1.0` equals `1`). Allocates nothing for equal plain values. Never throws.
 */
export function jsonEquals(left: unknown, right: unknown): boolean {
  return areEqual(left, right, false, 0)
}

/**
 * Like `jsonEquals`, but the members of objects must be in the same order. Values nested deeper than 400 levels are
 * never equal.
 */
export function isSameJson(left: unknown, right: unknown): boolean {
  return areEqual(left, right, true, 0)
}

function areEqual(left: unknown, right: unknown, isToTheLetter: boolean, depth: number): boolean {
  if (left === right) return true
  if (depth > maxDepth) return false
  if (Array.isArray(left))
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((item, index) => areEqual(item, right[index], isToTheLetter, depth + 1))
    )
  if (isJsonNumber(left)) {
    if (!isJsonNumber(right)) return false
    return isToTheLetter ? numberText(left) === numberText(right) : isSameNumber(left, right)
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  const others = Object.keys(right)
  return (
    keys.length === others.length &&
    keys.every(
      (key, at) =>
        (isToTheLetter ? key === others[at] : Object.hasOwn(right, key)) &&
        areEqual(left[key], right[key], isToTheLetter, depth + 1),
    )
  )
}

function isSameNumber(left: JsonNumber, right: JsonNumber): boolean {
  if (typeof left === 'number' && typeof right === 'number') return left === right
  return normalizeNumber(numberText(left)) === normalizeNumber(numberText(right))
}

/**
 * Returns JSON text with the members of every object in code-unit order (similar to RFC 8785) and one spelling for
 * equal numbers, so that equal values have equal texts. Members that are `undefined` are left out, as in
 * `JSON.stringify`. Levels below `maxLevels` are written as `…`; without it, throws RangeError if the value exhausts
 * the stack.
 */
export function canonicalJson(value: unknown, maxLevels = Number.POSITIVE_INFINITY): string {
  if (typeof value === 'string') return JSON.stringify(value)
  if (isJsonNumber(value)) return canonicalNumber(value)
  if (Array.isArray(value))
    return maxLevels < 0 ? '…' : `[${value.map(item => canonicalJson(item, maxLevels - 1)).join(',')}]`
  if (!isObject(value)) return JSON.stringify(value) ?? 'null'
  return maxLevels < 0 ? '…' : canonicalObject(value, maxLevels)
}

function canonicalObject(value: UnknownObject, maxLevels: number): string {
  let members = ''
  for (const key of Object.keys(value).sort()) {
    if (value[key] === undefined) continue
    members += `${members === '' ? '' : ','}${JSON.stringify(key)}:${canonicalJson(value[key], maxLevels - 1)}`
  }
  return `{${members}}`
}

/** Returns the digits of a double if one has exactly this value, else the normalized digits. */
function canonicalNumber(value: JsonNumber): string {
  if (typeof value === 'number') return JSON.stringify(value)
  const normalized = normalizeNumber(numberText(value))
  const double = Number(normalized)
  return Number.isFinite(double) && normalizeNumber(String(double)) === normalized
    ? JSON.stringify(double)
    : normalized
}

/** Returns the only spelling of a decimal value: `[-]digits e exponent` without leading or trailing zeros. */
function normalizeNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const negative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return '0'
  const trimmed = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + (digits.length - trimmed.length)
  return `${negative ? '-' : ''}${trimmed}e${power}`
}

/** Levels of a value that its key contains. Only `jsonEquals` compares deeper ones. */
const maxKeyLevels = 20

/**
 * Finds entries by a JSON value, compared as in `jsonEquals`, in a time that does not depend on the number of entries.
 */
export class JsonIndex<Entry> {
  private readonly buckets = new Map<string, { readonly value: unknown; readonly entries: Entry[] }[]>()

  add(value: unknown, entry: Entry): void {
    const known = this.entriesOf(value)
    if (known !== undefined) {
      known.push(entry)
      return
    }
    const key = toIndexKey(value)
    const bucket = this.buckets.get(key)
    if (bucket === undefined) this.buckets.set(key, [{ value, entries: [entry] }])
    else bucket.push({ value, entries: [entry] })
  }

  /**
   * Returns the entries in the order in which they were added; undefined if there never was one. The caller may remove
   * some.
   */
  entriesOf(value: unknown): Entry[] | undefined {
    return this.buckets.get(toIndexKey(value))?.find(known => jsonEquals(known.value, value))?.entries
  }
}

/**
 * Returns a function that decides whether a value is in the list. Texts, the usual items of long lists, need no key.
 */
export function jsonIncludes(list: readonly unknown[]): (value: unknown) => boolean {
  const texts = new Set<unknown>()
  const others = new JsonIndex<true>()
  for (const value of list) {
    if (typeof value === 'string') texts.add(value)
    else others.add(value, true)
  }
  return value => (typeof value === 'string' ? texts.has(value) : others.entriesOf(value) !== undefined)
}

function toIndexKey(value: unknown): string {
  return typeof value === 'string' ? `"${value}` : canonicalJson(value, maxKeyLevels)
}

/** Returns the value with the members of every object in code-unit order; numbers keep their digits. */
export function withSortedKeys<Value>(value: Value, depth = 0): Value {
  const sorted: unknown =
    depth > maxDepth
      ? value
      : Array.isArray(value)
        ? value.map(item => withSortedKeys(item, depth + 1))
        : isObject(value)
          ? Object.fromEntries(
              Object.keys(value)
                .sort()
                .map(key => [key, withSortedKeys(value[key], depth + 1)]),
            )
          : value
  // Only the order of members differs, so the type is the same.
  return sorted as Value
}
