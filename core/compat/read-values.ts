/** Reads JSON values: exact numbers, counts, lengths, and whether a value is small enough to read. */
import { isJsonNumber, isObject } from '../json/json.ts'
import { Undecided } from './proof-limits.ts'
import { type Rational, toRational } from './rational.ts'

/** Returns the length in code points, as JSON Schema counts it. */
export function codePoints(text: string): number {
  // Counts code units, because an iterator over characters takes ten times as long on a text of megabytes.
  let count = text.length
  for (let index = 1; index < text.length; index++)
    if (isLowSurrogate(text, index) && isHighSurrogate(text, index - 1)) count -= 1
  return count
}

const isHighSurrogate = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xd800
const isLowSurrogate = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xdc00

export function readRational(value: unknown): Rational | undefined {
  return isJsonNumber(value) ? toRational(value) : undefined
}

/** Returns a count such as minLength as a plain number; Infinity beyond the safe integers. */
export function readCount(value: unknown): number | undefined {
  const exact = readRational(value)
  if (exact?.denominator !== 1n || exact.numerator < 0n) return undefined
  return exact.numerator > 9_007_199_254_740_991n ? Number.POSITIVE_INFINITY : Number(exact.numerator)
}

/** Maximum number and nesting of values in two schemas; larger questions would take too long. */
const maxParts = 40_000
const maxDepth = 400

/** @throws Undecided if the values are not JSON, too large, nested too deep or cyclic */
export function requireSmallJson(values: readonly unknown[]): void {
  let level: unknown[] = [...values]
  let count = 0
  for (let depth = 0; level.length > 0; depth += 1) {
    count += level.length
    if (count > maxParts) throw new Undecided('the schemas are too large')
    if (depth > maxDepth) throw new Undecided('a value is nested too deep')
    const next: unknown[] = []
    for (const value of level) {
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol')
        throw new Undecided(`a ${typeof value} is not JSON`)
      if (Array.isArray(value))
        for (let i = 0; i < value.length && next.length <= maxParts; i += 1) next.push(value[i])
      else if (isObject(value)) for (const key of Object.keys(value)) next.push(value[key])
    }
    level = next
  }
}
