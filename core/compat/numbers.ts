/**
 * Exact numbers (JSON's decimals as fractions of two bigints, so that no bound is rounded), counts and lengths, and
 * whether a value is small enough to read.
 */

import { LosslessNumber } from 'lossless-json'
import { isJsonNumber, isObject, type JsonNumber } from '../json/json.ts'
import { Undecided } from './proof-limits.ts'

/** Always in lowest terms with a positive denominator. */
export interface Rational {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Maximum digits of a number: `1e999999999` must not fill the memory. */
const maxDigits = 2_000

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

export function rational(numerator: bigint, denominator = 1n): Rational {
  const divisor = greatestCommonDivisor(numerator, denominator)
  const sign = denominator < 0n ? -1n : 1n
  return divisor === 0n
    ? { numerator: 0n, denominator: 1n }
    : { numerator: (sign * numerator) / divisor, denominator: (sign * denominator) / divisor }
}

/** Reads a decimal such as `-1.50e3` exactly. @throws Undecided if the number is too long */
function parseDecimal(text: string): Rational {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match) throw new Undecided(`${text.slice(0, 40)} is not a number of JSON`)
  const fraction = match[3] ?? ''
  const exponent = Number(match[4] ?? 0) - fraction.length
  if (Math.abs(exponent) > maxDigits || text.length > maxDigits)
    throw new Undecided('a number has too many digits')
  const digits = BigInt(`${match[2]}${fraction}`) * (match[1] === '-' ? -1n : 1n)
  return exponent >= 0
    ? rational(digits * 10n ** BigInt(exponent))
    : rational(digits, 10n ** BigInt(-exponent))
}

const ofNumbers = new Map<number, Rational>()

function toRational(value: JsonNumber): Rational {
  if (typeof value === 'bigint') return rational(value)
  if (typeof value !== 'number') return parseDecimal(value.value)
  if (Number.isSafeInteger(value)) return { numerator: BigInt(value), denominator: 1n }
  const known = ofNumbers.get(value)
  if (known) return known
  const exact = parseDecimal(String(value))
  if (ofNumbers.size < 10_000) ofNumbers.set(value, exact)
  return exact
}

/** Returns the decimal text, which is finite for every JSON number and every result of these operations. */
function decimalText(value: Rational): string {
  let scale = 0
  let { numerator, denominator } = value
  while (denominator !== 1n) {
    if (scale > maxDigits) throw new Undecided('a number has no finite decimal form')
    const step = denominator % 2n === 0n || denominator % 5n === 0n ? 10n : 0n
    if (step === 0n) throw new Undecided('a number has no finite decimal form')
    const next = rational(numerator * step, denominator)
    numerator = next.numerator
    denominator = next.denominator
    scale += 1
  }
  if (scale === 0) return String(numerator)
  const digits = String(numerator < 0n ? -numerator : numerator).padStart(scale + 1, '0')
  return `${numerator < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}

/** Returns a plain number if it is exact, else a lossless one. */
export function fromRational(value: Rational): number | LosslessNumber {
  const text = decimalText(value)
  const number = Number(text)
  const exact = Number.isFinite(number) && compareRationals(toRational(number), value) === 0
  return exact ? number : new LosslessNumber(text)
}

export function rationalKey(value: Rational): string {
  return value.denominator === 1n ? `${value.numerator}` : `${value.numerator}/${value.denominator}`
}

export function compareRationals(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator
  return difference < 0n ? -1 : difference > 0n ? 1 : 0
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator)
}

export function times(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator)
}

export function divide(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator)
}

export function isMultiple(value: Rational, of: Rational): boolean {
  return (value.numerator * of.denominator) % (of.numerator * value.denominator) === 0n
}

/** Returns the smallest positive number that is a multiple of both. */
export function leastCommonMultiple(a: Rational, b: Rational): Rational {
  const numerator = (a.numerator * b.numerator) / greatestCommonDivisor(a.numerator, b.numerator)
  return rational(numerator, greatestCommonDivisor(a.denominator, b.denominator))
}

/** Returns the greatest integer that is not above the value. */
export function floor(value: Rational): bigint {
  const quotient = value.numerator / value.denominator
  return value.numerator < 0n && quotient * value.denominator !== value.numerator ? quotient - 1n : quotient
}

export function ceiling(value: Rational): bigint {
  return -floor({ numerator: -value.numerator, denominator: value.denominator })
}

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
