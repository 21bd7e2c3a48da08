/** Valid values at the boundaries of one schema. The generator validates each of them before it is used. */
import { add, fromRational, rational, readCount, readRational } from '../compat/numbers.ts'
import { type Json, own } from '../json/json.ts'
import { readNumber } from '../json/json-text.ts'
import type { SchemaObject } from '../schema/schema.ts'
import { findText } from '../validation/safe-pattern.ts'
import { buildDistinctItems, maxSize, resize } from './breaking-values.ts'
import type { InputChecks } from './input-checks.ts'

export interface BoundaryValue {
  readonly value: Json
  readonly keyword: string
  /** The end of a sentence: `the longest text`. */
  readonly words: string
}

/** Longer values are not sent to show a boundary. */
const maxBoundary = 10_000
const maxItems = 100

/** @param base a valid value of the schema */
export function* boundaryValues(
  schema: SchemaObject,
  base: Json,
  checks: InputChecks,
): Generator<BoundaryValue> {
  const listed = own(schema, 'enum')
  if (Array.isArray(listed)) {
    for (const value of listed as Json[]) yield { value, keyword: 'enum', words: 'a listed value' }
    return
  }
  if (Object.hasOwn(schema, 'const')) return
  const types = [own(schema, 'type')].flat()
  if (types.includes('null')) yield { value: null, keyword: 'type', words: 'null' }
  if (types.includes('boolean'))
    for (const value of [true, false]) yield { value, keyword: 'type', words: String(value) }
  if (types.includes('integer') || types.includes('number')) yield* numbers(schema, types.includes('integer'))
  if (types.includes('string')) yield* texts(schema)
  if (Array.isArray(base)) yield* lists(schema, base, checks)
}

function* numbers(schema: SchemaObject, isInteger: boolean): Generator<BoundaryValue> {
  const step = readRational(own(schema, 'multipleOf')) ?? rational(1n)
  for (const [keyword, direction] of [
    ['minimum', 1n],
    ['maximum', -1n],
    ['exclusiveMinimum', 1n],
    ['exclusiveMaximum', -1n],
  ] as const) {
    const limit = readRational(own(schema, keyword))
    if (limit === undefined) continue
    const words = direction === 1n ? 'the smallest number' : 'the largest number'
    const next = add(limit, rational(direction * step.numerator, step.denominator))
    for (const value of keyword.startsWith('exclusive') ? [next] : [limit, next])
      yield { value: fromRational(value), keyword, words }
  }
  for (const value of [0, -1]) yield { value, keyword: 'type', words: String(value) }
  if (!isInteger) yield { value: 0.1, keyword: 'type', words: 'a fraction' }
  const beyond = readNumber('9007199254740993')
  if (beyond !== null) yield { value: beyond, keyword: 'type', words: 'an integer that a double cannot hold' }
}

const unicode = 'Ünïcödé 日本語 😀 e\u0301 \u202Eabc'

function* texts(schema: SchemaObject): Generator<BoundaryValue> {
  const pattern = typeof schema.pattern === 'string' ? schema.pattern : undefined
  const min = readCount(schema.minLength) ?? 0
  const max = readCount(schema.maxLength) ?? Number.POSITIVE_INFINITY
  if (pattern !== undefined) {
    const shortest = findText(pattern, { min, max })
    if (shortest !== undefined)
      yield { value: shortest, keyword: 'pattern', words: 'a short text of the pattern' }
  } else if (typeof schema.format !== 'string') {
    if (min <= maxBoundary)
      yield { value: resize(['a'], min), keyword: 'minLength', words: 'the shortest text' }
    if (max <= maxBoundary)
      yield { value: resize(['a'], max), keyword: 'maxLength', words: 'the longest text' }
    const size = Math.min(Math.max([...unicode].length, min), max, maxSize)
    yield { value: resize([...unicode], size), keyword: 'type', words: 'a text with letters of many scripts' }
  }
}

function* lists(schema: SchemaObject, base: readonly Json[], checks: InputChecks): Generator<BoundaryValue> {
  const min = readCount(schema.minItems) ?? 0
  const max = readCount(schema.maxItems) ?? 2
  if (min <= maxItems)
    yield {
      value: buildDistinctItems(base, min, schema, checks),
      keyword: 'minItems',
      words: 'the shortest list',
    }
  if (max <= maxItems)
    yield { value: buildDistinctItems(base, max, schema, checks), keyword: 'maxItems', words: 'a long list' }
}
