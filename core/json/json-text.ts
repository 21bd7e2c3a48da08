/** JSON text ⇄ values without loss: a number that JavaScript would change keeps its digits. */

import { LosslessNumber, parse, stringify } from 'lossless-json'
import { messageOf } from '../errors.ts'
import { isJsonNumber, isObject, type Json, numberText } from './json.ts'

/** Nesting beyond which no part of the program walks a value recursively. */
const maxJsonDepth = 200

export type JsonReading =
  | { readonly ok: true; readonly value: Json | undefined }
  | ({ readonly ok: false; readonly reason: 'syntax'; readonly message: string } & TextPosition)
  | { readonly ok: false; readonly reason: 'too-deep'; readonly message: string }

/** Both from 1; a column is a UTF-16 code unit, as editors count them. */
export interface TextPosition {
  readonly line: number
  readonly column: number
}

/** A number of JSON text: a plain number where its text survives, else its digits. `null` when it is not valid JSON number. */
export function readNumber(text: string): number | LosslessNumber | null {
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text)) return null
  const number = Number(text)
  return String(number) === text ? number : new LosslessNumber(text)
}

/**
 * Reads JSON text. Empty text is `undefined` (nothing entered). Of a repeated key the last value counts.
 * Never throws; nesting deeper than `maxJsonDepth` is refused. The message of broken text begins with the line and the
 * column of its first error.
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
    return { ok: false, reason: 'syntax', ...describeSyntaxError(messageOf(thrown), text) }
  }
}

/** @param message the parser's, which ends with the offset in `text`: `… at position 11` */
function describeSyntaxError(message: string, text: string): TextPosition & { readonly message: string } {
  const [, words = message, offset = '0'] = /^(.*) at position (\d+)$/s.exec(message) ?? []
  const lines = text.slice(0, Number(offset)).split('\n')
  const position = { line: lines.length, column: (lines.at(-1) ?? '').length + 1 }
  const oneLine = words.replace(/\p{Cc}/gu, character => JSON.stringify(character).slice(1, -1))
  return { ...position, message: `line ${position.line}, column ${position.column}: ${oneLine}` }
}

/** Writes a value as JSON text, two spaces a level; `undefined` is empty text. */
export function writeJson(value: Json | undefined, space: number = 2): string {
  if (value === undefined) return ''
  return stringify(value, null, space === 0 ? undefined : space) ?? ''
}

/**
 * A copy for code that knows only plain numbers: doubles for all numbers, objects without a prototype so that
 * `constructor` is no key of every object. For judging a value, never for sending it.
 */
export function toPlain(value: Json): unknown {
  if (isJsonNumber(value)) return Number(numberText(value))
  if (Array.isArray(value)) return value.map(toPlain)
  if (!isObject(value)) return value
  const copy: Record<string, unknown> = Object.create(null)
  for (const key of Object.keys(value)) copy[key] = toPlain(value[key] as Json)
  return copy
}

/** How deep brackets nest in a text, strings left out. */
export function depthOf(text: string): number {
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
