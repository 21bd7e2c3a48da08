/** Converts JSON text to values and back without loss: a number that JavaScript would change keeps its digits. */

import { LosslessNumber, parse, stringify } from 'lossless-json'
import { toErrorMessage } from '../errors.ts'
import { isJsonNumber, isObject, type Json, numberText } from './json.ts'

/** The nesting limit for every function that walks a value recursively. */
const maxJsonDepth = 200

export type JsonReading =
  | { readonly ok: true; readonly value: Json | undefined }
  | ({ readonly ok: false; readonly reason: 'syntax'; readonly message: string } & TextPosition)
  | { readonly ok: false; readonly reason: 'too-deep'; readonly message: string }

/** Both from 1; a column is a UTF-16 code unit, as in editors. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/**
 * Returns a plain number if it prints as the same text, else a number that keeps its digits; null if the text is not a
 * JSON number.
 */
export function readNumber(text: string): number | LosslessNumber | null {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return null
  const number = Number(text)
  return String(number) === text ? number : new LosslessNumber(text)
}

/**
 * Parses JSON text. Empty text gives `undefined`. For a repeated key, the last value counts. Never throws; nesting
 * deeper than `maxJsonDepth` is refused. The message of a syntax error starts with the line and column of the first
 * error.
 */
export function readJson(text: string): JsonReading {
  if (text.trim() === '') return { ok: true, value: undefined }
  if (measureDepth(text) > maxJsonDepth)
    return { ok: false, reason: 'too-deep', message: `nested deeper than ${maxJsonDepth} levels` }
  try {
    const value = parse(text, null, {
      parseNumber: digits => readNumber(digits),
      onDuplicateKey: ({ newValue }) => newValue,
    }) as Json
    return { ok: true, value }
  } catch (thrown) {
    return { ok: false, reason: 'syntax', ...describeSyntaxError(toErrorMessage(thrown), text) }
  }
}

/** @param message of the parser, which ends with the offset in `text`: `… at position 11` */
function describeSyntaxError(message: string, text: string): TextPosition & { readonly message: string } {
  const [, words = message, offset = '0'] = /^(.*) at position (\d+)$/s.exec(message) ?? []
  const lines = text.slice(0, Number(offset)).split('\n')
  const position = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
  const oneLine = words.replace(/\p{Cc}/gu, character => JSON.stringify(character).slice(1, -1))
  return { ...position, message: `line ${position.line}, column ${position.column}: ${oneLine}` }
}

/** Returns a value as JSON text, indented by two spaces by default; `undefined` gives empty text. */
export function writeJson(value: Json | undefined, space: number = 2): string {
  if (value === undefined) return ''
  return stringify(value, null, space === 0 ? undefined : space) ?? ''
}

/**
 * Returns a copy with plain numbers, and objects without a prototype, so that `constructor` is not a key of every
 * object. Use it to validate a value, never to send it.
 */
export function toPlain(value: Json): unknown {
  if (isJsonNumber(value)) return Number(numberText(value))
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value)) copy[key] = toPlain(value[key] as Json)
  return copy
}

/** Returns how deep brackets nest in a text, outside of strings. */
export function measureDepth(text: string): number {
  let depth = 0
  let most = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) most = Math.max(most, ++depth)
    else if (code === 125 || code === 93) depth--
  }
  return most
}
