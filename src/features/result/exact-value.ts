import { LosslessNumber, parse } from 'lossless-json'
import type { Ending } from '../../../core/tool/invocation.ts'
import { joinTextBlocks, startsLikeJson } from '../../../core/tool/result-value.ts'

/** Characters; the browser parses longer texts, because the exact parser would block the page. */
const maxExactLength = 5_000_000

/** A number that may lose digits as a double: sixteen digits or more, or a long exponent. */
const unsafeNumber = /\d{16}|\d[eE][+-]?\d{3}/

const exactEnough = /^-?\d{1,15}$/

/**
 * Returns the result as a value to render. Numbers stay exact: one that a double cannot hold is a LosslessNumber, the
 * others are plain numbers. Undefined if the result is not valid JSON.
 */
export function parseExactValue(ending: Ending): unknown {
  const value = readResultJson(ending)
  const raw = ending.structuredContent === undefined ? joinTextBlocks(ending) : ending.raw
  if (value === undefined || raw === undefined) return value
  if (raw.length > maxExactLength || !unsafeNumber.test(raw)) return value
  try {
    return parse(raw, undefined, text =>
      exactEnough.test(text) || String(Number(text)) === text ? Number(text) : new LosslessNumber(text),
    )
  } catch {
    // The raw text has prints before the JSON, or is nested too deep for this parser.
    return value
  }
}

/** Characters; longer texts are not parsed, because parsing would block the page. */
const maxParsedLength = 5_000_000

const parsedTexts = new WeakMap<Ending, unknown>()

/** Returns the result as JSON: the structured content, or the object or list in its text. Numbers are doubles. */
export function readResultJson(ending: Ending): unknown {
  if (ending.structuredContent !== undefined) return ending.structuredContent
  if (!parsedTexts.has(ending)) parsedTexts.set(ending, parsedText(joinTextBlocks(ending)))
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
