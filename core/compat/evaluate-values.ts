/** Checks one value against the keywords about plain values. */

import { canonicalJson, jsonEquals } from '../json/equality.ts'
import { jsonType, own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import { counted } from '../text/wording.ts'
import { compareRationals, isMultiple } from './rational.ts'
import { codePoints, readCount, readRational } from './read-values.ts'
import type { Context, Outcome, PatternTest } from './schema-failure.ts'

export function checkValue(
  value: unknown,
  context: Context,
  schema: UnknownObject,
  outcome: Outcome,
  matches: PatternTest,
): void {
  const type = jsonType(value)
  const wanted = own(schema, 'type')
  const names: unknown[] = Array.isArray(wanted) ? wanted : [wanted]
  if (wanted !== undefined && !names.some(name => name === type || (name === 'integer' && isWhole(value))))
    outcome.fail('type', `must be ${names.join(' or ')}, not ${type}`, { limit: wanted })
  const list = own(schema, 'enum')
  if (Array.isArray(list) && !isListed(list, value))
    outcome.fail('enum', 'must be one of the listed values', { limit: list })
  if (Object.hasOwn(schema, 'const') && isSince(context.node.resource.dialect, 'draft-06'))
    if (!jsonEquals(schema.const, value))
      outcome.fail('const', 'must be the one value that is allowed', { limit: schema.const })
  if (type === 'number') checkNumber(value, schema, outcome)
  else if (typeof value === 'string') checkText(value, schema, outcome, matches)
}

function isWhole(value: unknown): boolean {
  return typeof value === 'number' ? Number.isInteger(value) : readRational(value)?.denominator === 1n
}

/** Longer lists are searched by canonical text. */
const maxCompared = 20
const listTexts = new WeakMap<readonly unknown[], ReadonlySet<string>>()

function isListed(list: readonly unknown[], value: unknown): boolean {
  if (list.length <= maxCompared) return list.some(one => jsonEquals(one, value))
  const texts = listTexts.get(list) ?? new Set(list.map(one => canonicalJson(one)))
  listTexts.set(list, texts)
  return texts.has(canonicalJson(value))
}

const bounds = [
  ['minimum', 'must not be below', (order: number, isOpen: boolean) => order > 0 || (order === 0 && !isOpen)],
  ['maximum', 'must not be above', (order: number, isOpen: boolean) => order < 0 || (order === 0 && !isOpen)],
  ['exclusiveMinimum', 'must be above', (order: number) => order > 0],
  ['exclusiveMaximum', 'must be below', (order: number) => order < 0],
] as const

function checkNumber(value: unknown, schema: UnknownObject, outcome: Outcome): void {
  for (const [keyword, words, fits] of bounds) {
    const limit = own(schema, keyword)
    // Up to draft 4, `exclusiveMinimum` is a flag next to `minimum`.
    if (limit === undefined || typeof limit === 'boolean') continue
    const exclusive = keyword === 'minimum' ? schema.exclusiveMinimum : schema.exclusiveMaximum
    if (!fits(order(value, limit), exclusive === true)) outcome.fail(keyword, `${words} ${limit}`, { limit })
  }
  const step = own(schema, 'multipleOf')
  if (step !== undefined && !isMultipleOf(value, step))
    outcome.fail('multipleOf', `must be a multiple of ${step}`, { limit: step })
}

/** Returns a number below 0 if the value is smaller than the limit. Exact. */
function order(value: unknown, limit: unknown): number {
  if (typeof value === 'number' && typeof limit === 'number') return value - limit
  const [left, right] = [readRational(value), readRational(limit)]
  return left && right ? compareRationals(left, right) : 0
}

function isMultipleOf(value: unknown, step: unknown): boolean {
  if (Number.isSafeInteger(value) && Number.isSafeInteger(step))
    return (value as number) % (step as number) === 0
  const [left, right] = [readRational(value), readRational(step)]
  return left === undefined || right === undefined || isMultiple(left, right)
}

function checkText(value: string, schema: UnknownObject, outcome: Outcome, matches: PatternTest): void {
  const min = readCount(own(schema, 'minLength'))
  const max = readCount(own(schema, 'maxLength'))
  if (min !== undefined || max !== undefined) {
    const length = codePoints(value)
    if (min !== undefined && length < min)
      outcome.fail('minLength', `must have at least ${counted(min, 'character')}`, { limit: min })
    if (max !== undefined && length > max)
      outcome.fail('maxLength', `must have at most ${counted(max, 'character')}`, { limit: max })
  }
  const pattern = own(schema, 'pattern')
  if (typeof pattern === 'string' && !matches(pattern, value))
    outcome.fail('pattern', `must match the pattern ${pattern}`, { limit: pattern })
}
