/** JSON values: their types, a canonical text, equality. */

import { Undecided } from './limits.ts'
import { isJsonNumber, type Rational, rationalKey, toRational } from './rational.ts'

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export type JsonObject = { readonly [key: string]: unknown }

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isJsonNumber(value)
}

export function typeOf(value: unknown): TypeName {
  if (value === null) return 'null'
  if (isJsonNumber(value)) return 'number'
  if (Array.isArray(value)) return 'array'
  if (typeof value === 'boolean' || typeof value === 'string') return typeof value as TypeName
  if (typeof value === 'object') return 'object'
  throw new Undecided(`a ${typeof value} is not JSON`)
}

/** Deepest value that is compared or written down. */
const maximumDepth = 500

/** Equal values have equal texts: numbers by value (1.0 is 1), keys of objects in any order. @throws Undecided when too deep. */
export function canonicalText(value: unknown, depth = 0): string {
  if (depth > maximumDepth) throw new Undecided('a value is nested too deep')
  if (isJsonNumber(value)) return rationalKey(toRational(value))
  if (Array.isArray(value)) return `[${value.map(item => canonicalText(item, depth + 1)).join(',')}]`
  if (isObject(value)) {
    const entries = Object.keys(value)
      .sort()
      .map(key => `${JSON.stringify(key)}:${canonicalText(value[key], depth + 1)}`)
    return `{${entries.join(',')}}`
  }
  if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
    throw new Undecided(`a ${typeof value} is not JSON`)
  return JSON.stringify(value)
}

export function equal(a: unknown, b: unknown): boolean {
  return a === b || canonicalText(a) === canonicalText(b)
}

/** Length in code points, as JSON Schema counts it. */
export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** An own property, so that `__proto__` and `constructor` are names like any other. */
export function own(object: JsonObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined
}

/** Makes an object of entries; `__proto__` becomes an own property. */
export function objectOf(entries: Iterable<readonly [string, unknown]>): JsonObject {
  return Object.fromEntries(entries)
}

export function numberOf(value: unknown): Rational | undefined {
  return isJsonNumber(value) ? toRational(value) : undefined
}

/** A count such as minLength: a whole number, as a plain number (Infinity beyond what fits). */
export function countOf(value: unknown): number | undefined {
  const exact = numberOf(value)
  if (exact?.denominator !== 1n || exact.numerator < 0n) return undefined
  return exact.numerator > 9_007_199_254_740_991n ? Number.POSITIVE_INFINITY : Number(exact.numerator)
}

/** One step of a JSON Pointer (RFC 6901). */
export function pointerStep(key: string | number): string {
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`
}

/** How many values a value is made of, itself included; counting stops soon after the limit. Cyclic ones never end, so they exceed it. */
export function countParts(value: unknown, limit: number): number {
  const open: unknown[] = [value]
  let count = 0
  while (open.length > 0 && count <= limit) {
    const one = open.pop()
    count += 1
    if (Array.isArray(one)) for (let i = 0; i < one.length && open.length <= limit; i += 1) open.push(one[i])
    else if (isObject(one)) for (const key of Object.keys(one)) open.push(one[key])
  }
  return count + open.length
}
