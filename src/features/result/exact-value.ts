import { LosslessNumber, parse } from 'lossless-json'
import type { Ending } from '../../../core/tool/invocation.ts'

/** Longer texts are parsed by the browser: the exact parser would block the page. */
const maxExactLength = 5_000_000

/** A number that may lose digits as a double: sixteen digits or more, or a long exponent. */
const unsafeNumber = /\d{16}|\d[eE][+-]?\d{3}/

const exactEnough = /^-?\d{1,15}$/

/**
 * The result as a value to draw. Numbers stay exact: where the raw text holds some that a double cannot, those come
 * as LosslessNumber, the others as plain numbers. Undefined where the result is not valid JSON.
 */
export function exactValueOf(ending: Ending): unknown {
  const value = jsonOf(ending)
  const raw = ending.structuredContent === undefined ? textOf(ending) : ending.raw
  if (value === undefined || raw === undefined) return value
  if (raw.length > maxExactLength || !unsafeNumber.test(raw)) return value
  try {
    return parse(raw, undefined, text =>
      exactEnough.test(text) || String(Number(text)) === text ? Number(text) : new LosslessNumber(text),
    )
  } catch {
    // Prints before the JSON, or nested too deeply for this parser.
    return value
  }
}

/** All text blocks of a result, joined. */
export function textOf(ending: Ending): string {
  return ending.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}

export function startsLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text)
}

/** Longer texts stay texts: they would be parsed on the page's own thread. */
const maxParsedLength = 5_000_000

const parsedTexts = new WeakMap<Ending, unknown>()

/** The result as JSON: what came as such, or the object or list that its text is. Numbers are doubles. */
export function jsonOf(ending: Ending): unknown {
  if (ending.structuredContent !== undefined) return ending.structuredContent
  if (!parsedTexts.has(ending)) parsedTexts.set(ending, parsedText(textOf(ending)))
  return parsedTexts.get(ending)
}

function parsedText(text: string): unknown {
  if (text.length > maxParsedLength || !startsLikeJson(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
