/** Makes numbers and texts within a schema's limits. */

import type { SchemaObject } from '../schema/schema.ts'
import { testPattern } from '../validation/safe-pattern.ts'
import { sampleFormat } from '../validation/sample-format.ts'
import { samplePattern } from '../validation/sample-pattern.ts'
import { statedText } from '../validation/text-example.ts'
import type { StringControl } from './form-node.ts'

export function sampleNumber(schema: SchemaObject, integer: boolean, random: () => number): number {
  const step = toFiniteNumber(schema.multipleOf) ?? (integer ? 1 : undefined)
  const low = lowest(schema, integer, step)
  const high = highest(schema, integer, step)
  const from = low ?? (high === undefined || high >= 1 ? 1 : high - 10)
  const to = Math.min(high ?? from + 9, from + 9 * Math.max(1, step ?? 1))
  const raw = from + random() * Math.max(0, to - from)
  if (step === undefined) return Math.max(from, Math.round(raw * 100) / 100)
  const multiple = Math.ceil(from / step) + Math.floor((raw - from) / step)
  const exact = Number((multiple * step).toPrecision(12))
  return high !== undefined && exact > high ? Math.floor(high / step) * step : exact
}

function lowest(schema: SchemaObject, integer: boolean, step: number | undefined): number | undefined {
  const inclusive = toFiniteNumber(schema.minimum)
  const exclusive = schema.exclusiveMinimum === true ? inclusive : toFiniteNumber(schema.exclusiveMinimum)
  if (exclusive === undefined) return inclusive === undefined || !integer ? inclusive : Math.ceil(inclusive)
  const above = integer ? Math.floor(exclusive) + 1 : exclusive + (step ?? 0.5)
  return inclusive === undefined ? above : Math.max(above, inclusive)
}

function highest(schema: SchemaObject, integer: boolean, step: number | undefined): number | undefined {
  const inclusive = toFiniteNumber(schema.maximum)
  const exclusive = schema.exclusiveMaximum === true ? inclusive : toFiniteNumber(schema.exclusiveMaximum)
  if (exclusive === undefined) return inclusive === undefined || !integer ? inclusive : Math.floor(inclusive)
  const below = integer ? Math.ceil(exclusive) - 1 : exclusive - (step ?? 0.5)
  return inclusive === undefined ? below : Math.min(below, inclusive)
}

export function sampleText(schema: SchemaObject, control: StringControl, random: () => number): string {
  const ofFormat = typeof schema.format === 'string' ? sampleFormat(schema.format) : undefined
  if (typeof schema.pattern === 'string') {
    // Generators also write a format as a pattern; the format's sample is more readable.
    if (
      ofFormat !== undefined &&
      fitLength(ofFormat, schema) === ofFormat &&
      testPattern(schema.pattern, ofFormat)
    )
      return ofFormat
    const stated = statedText(schema)
    if (stated !== undefined && random() < 0.7) return stated
    const matching = matchingText(schema, schema.pattern, random)
    if (matching !== null) return matching
  }
  const date = ofFormat === undefined ? formatDescribedDate(schema) : undefined
  if (date !== undefined && fitLength(date, schema) === date) return date
  const plain = isAbsolutePath(schema) ? '/path/to/file' : 'text'
  return fitLength(ofFormat ?? (control === 'binary' ? 'aGVsbG8=' : plain), schema)
}

/** A date, a time or both, in the letters that date libraries share: `YYYY-MM-DD HH:mm:ss`, `MM/YYYY`, `HH:mm`. */
const dateLetters =
  /\b(?:(?:YYYY|MM|DD)(?:[-/.](?:YYYY|MM|DD)){1,2}(?:[ T]HH:MM(?::SS(?:\.SSS)?)?Z?)?|HH:MM(?::SS)?)\b/i

const datePart = { yyyy: '2026', mm: '11', dd: '25', hh: '14', sss: '000', ss: '00' } as const

/** Returns a date in the form that the description names; undefined if it names none. */
function formatDescribedDate({ description }: SchemaObject): string | undefined {
  if (typeof description !== 'string') return undefined
  const [form] = dateLetters.exec(description.slice(0, 1_000)) ?? []
  return form?.replace(
    /yyyy|mm|dd|hh|sss?/gi,
    letters => datePart[letters.toLowerCase() as keyof typeof datePart],
  )
}

/** A tool that asks for an absolute path refuses any other text. */
const isAbsolutePath = ({ description }: SchemaObject) =>
  typeof description === 'string' && /\babsolute (?:\w{1,20} )?path\b/i.test(description.slice(0, 1_000))

function matchingText(schema: SchemaObject, pattern: string, random: () => number): string | null {
  let matching: string | null = null
  for (let attempt = 0; attempt < 8; attempt++) {
    matching = samplePattern(pattern, attempt === 0 ? random : () => (random() + attempt / 8) % 1)
    if (matching === null || fitLength(matching, schema) === matching) return matching
    const fitted = fitLength(matching, schema)
    if (testPattern(pattern, fitted)) return fitted
  }
  return matching
}

function fitLength(text: string, schema: SchemaObject): string {
  const least = Math.min(toFiniteNumber(schema.minLength) ?? 0, 20_000)
  const most = toFiniteNumber(schema.maxLength) ?? Number.POSITIVE_INFINITY
  const filler = text === '' ? 'a' : text
  const long = text.length < least ? filler.repeat(Math.ceil(least / filler.length)).slice(0, least) : text
  return long.slice(0, most)
}

function toFiniteNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}
