/** JSON text ⇄ values without loss: a number that JavaScript would change keeps its digits. */
import { isLosslessNumber, LosslessNumber, parse, stringify } from 'lossless-json'

/** A JSON value as the form holds it. Numbers that a double cannot print back are `LosslessNumber`. */
export type Json = null | boolean | number | string | LosslessNumber | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Nesting beyond which no part of the program walks a value recursively. */
export const maxJsonDepth = 200

export type JsonReading =
  | { readonly ok: true; readonly value: Json | undefined }
  | { readonly ok: false; readonly reason: 'syntax' | 'too-deep'; readonly message: string }

/** A number of JSON text: a plain number where its text survives, else its digits. `null` when it is no JSON number. */
export function readNumber(text: string): number | LosslessNumber | null {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return null
  const number = Number(text)
  return String(number) === text ? number : new LosslessNumber(text)
}

/**
 * Reads JSON text. Empty text is `undefined` (nothing entered). Of a repeated key the last value counts.
 * Never throws; nesting deeper than `maxJsonDepth` is refused.
 */
export function readJson(text: string): JsonReading {
  if (text.trim() === '') return { ok: true, value: undefined }
  if (depthOf(text) > maxJsonDepth)
    return { ok: false, reason: 'too-deep', message: `nested deeper than ${maxJsonDepth} levels` }
  try {
    const value = parse(text, null, {
      parseNumber: digits => readNumber(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    }) as Json
    return { ok: true, value }
  } catch (thrown) {
    return { ok: false, reason: 'syntax', message: thrown instanceof Error ? thrown.message : String(thrown) }
  }
}

/** Writes a value as JSON text, two spaces a level; `undefined` is empty text. */
export function writeJson(value: Json | undefined, space: number = 2): string {
  if (value === undefined) return ''
  return stringify(value, null, space === 0 ? undefined : space) ?? ''
}

/** A number's own digits. */
export function numberText(value: number | LosslessNumber): string {
  return isLosslessNumber(value) ? value.value : String(value)
}

export function isJsonNumber(value: unknown): value is number | LosslessNumber {
  return typeof value === 'number' || isLosslessNumber(value)
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isLosslessNumber(value)
}

export type JsonType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object'

export function jsonType(value: Json): JsonType {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  if (isJsonNumber(value)) return 'number'
  const type = typeof value
  return type === 'string' || type === 'boolean' ? type : 'object'
}

/** Equal as JSON: key order does not count; numbers are equal when their values are. */
export function jsonEquals(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true
  if (left === undefined || right === undefined || left === null || right === null) return false
  if (isJsonNumber(left) || isJsonNumber(right))
    return isJsonNumber(left) && isJsonNumber(right) && sameNumber(numberText(left), numberText(right))
  if (Array.isArray(left) || Array.isArray(right)) {
    if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
    return left.every((item, index) => jsonEquals(item, right[index]))
  }
  if (!isJsonObject(left) || !isJsonObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every(key => Object.hasOwn(right, key) && jsonEquals(left[key], right[key]))
  )
}

/**
 * A copy for code that knows only plain numbers: doubles for all numbers, objects without a prototype so that
 * `constructor` is no key of every object. For judging a value, never for sending it.
 */
export function toPlain(value: Json): unknown {
  if (isJsonNumber(value)) return Number(numberText(value))
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isJsonObject(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value)) copy[key] = toPlain(value[key] as Json)
  return copy
}

function sameNumber(left: string, right: string): boolean {
  if (left === right) return true
  return normalNumber(left) === normalNumber(right)
}

/** `[-]digits e exponent` without leading or trailing zeros: the one spelling of a value. */
function normalNumber(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const negative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return '0'
  const trimmed = digits.replace(/0+$/, '')
  const power = Number(exponent) - fraction.length + (digits.length - trimmed.length)
  return `${negative ? '-' : ''}${trimmed}e${power}`
}

/** How deep brackets nest in a text, strings left out. */
function depthOf(text: string): number {
  let depth = 0
  let deepest = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) deepest = Math.max(deepest, ++depth)
    else if (code === 125 || code === 93) depth--
  }
  return deepest
}
