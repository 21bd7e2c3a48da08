import { LosslessNumber, parse } from 'lossless-json'
import type { Ending } from '../../../core/call/invocation.ts'

/** Longer texts are parsed by the browser: the exact parser would block the page. */
const maxExactLength = 5_000_000

/** A number that may lose digits as a double: sixteen digits or more, or a long exponent. */
const unsafeNumber = /\d{16}|\d[eE][+-]?\d{3}/

const exactEnough = /^-?\d{1,15}$/

/**
 * The result as a value to draw. Numbers stay exact: where the raw text holds some that a double cannot, those come
 * as LosslessNumber, the others as plain numbers. Undefined where the result is no JSON.
 */
export function exactValueOf(ending: Ending): unknown {
  const { raw, structuredContent } = ending
  if (structuredContent === undefined || raw === undefined) return structuredContent
  if (raw.length > maxExactLength || !unsafeNumber.test(raw)) return structuredContent
  try {
    return parse(raw, undefined, text =>
      exactEnough.test(text) || String(Number(text)) === text ? Number(text) : new LosslessNumber(text),
    )
  } catch {
    // Prints before the JSON, or nested too deeply for this parser.
    return structuredContent
  }
}
