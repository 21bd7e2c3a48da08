/** Checks one value against the keywords about plain values and about objects. */

import { canonicalJson, jsonEquals } from '../json/equality.ts'
import { isObject, jsonType, own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import { counted } from '../text/wording.ts'
import { codePoints, compareRationals, isMultiple, readCount, readRational } from './numbers.ts'
import type { Context, Evaluator, Outcome, PatternTest, SchemaFacts } from './schema-failure.ts'

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

export function checkObject(
  evaluator: Evaluator,
  value: unknown,
  context: Context,
  schema: UnknownObject,
  outcome: Outcome,
  facts: SchemaFacts,
): void {
  if (!isObject(value)) return
  const object = value
  const names = Object.keys(object)
  const { dialect } = context.node.resource
  checkSize()
  if (facts.hasNameRules) checkNames()
  checkProperties()
  if (facts.hasDependencies) checkDependencies()
  checkUnevaluated()

  function checkSize(): void {
    const min = readCount(own(schema, 'minProperties')) ?? 0
    const max = readCount(own(schema, 'maxProperties')) ?? Number.POSITIVE_INFINITY
    if (names.length < min)
      outcome.fail('minProperties', `must have at least ${properties(min)}`, { limit: min })
    if (names.length > max)
      outcome.fail('maxProperties', `must have at most ${properties(max)}`, { limit: max })
    const required = own(schema, 'required')
    if (!Array.isArray(required)) return
    for (const name of required.map(String))
      if (!Object.hasOwn(object, name))
        outcome.fail('required', `must have the property ${JSON.stringify(name)}`, { property: name })
  }

  function checkNames(): void {
    const inner = own(schema, 'propertyNames')
    if (inner === undefined || !isSince(dialect, 'draft-06')) return
    for (const name of names) {
      if (evaluator.evaluate(name, evaluator.below(context, inner, ['propertyNames'], name)).isValid) continue
      const message = `has a property name that is not allowed: ${JSON.stringify(name)}`
      outcome.fail('propertyNames', message, { property: name })
    }
  }

  function checkProperty(name: string, inner: unknown, ...steps: string[]): void {
    if (evaluator.isDone(outcome)) return
    outcome.addFailures(evaluator.evaluate(object[name], evaluator.below(context, inner, steps, name)))
    outcome.seen.add(name)
  }

  function checkProperties(): void {
    const properties = own(schema, 'properties')
    const patterns = entries('patternProperties')
    const additional = own(schema, 'additionalProperties')
    for (const name of names) {
      let isKnown = false
      if (isObject(properties) && Object.hasOwn(properties, name)) {
        isKnown = true
        checkProperty(name, properties[name], 'properties', name)
      }
      for (const [pattern, inner] of patterns)
        if (evaluator.matches(pattern, name)) {
          isKnown = true
          checkProperty(name, inner, 'patternProperties', pattern)
        }
      if (!isKnown && additional !== undefined) checkProperty(name, additional, 'additionalProperties')
    }
  }

  function entries(keyword: string): [string, unknown][] {
    const map = own(schema, keyword)
    return isObject(map) ? Object.entries(map) : []
  }

  function checkDependencies(): void {
    const keywords = isSince(dialect, '2019-09')
      ? ['dependencies', 'dependentRequired', 'dependentSchemas']
      : ['dependencies']
    for (const keyword of keywords)
      for (const [because, needed] of entries(keyword)) {
        if (!Object.hasOwn(object, because) || evaluator.isDone(outcome)) continue
        if (!Array.isArray(needed))
          outcome.include(evaluator.evaluate(object, evaluator.inside(context, needed, keyword, because)))
        else
          for (const property of needed.map(String))
            if (!Object.hasOwn(object, property)) {
              const reason = `since it has ${JSON.stringify(because)}`
              const message = `must have the property ${JSON.stringify(property)}, ${reason}`
              outcome.fail(keyword, message, { property, because })
            }
      }
  }

  function checkUnevaluated(): void {
    const inner = own(schema, 'unevaluatedProperties')
    if (inner === undefined || !isSince(dialect, '2019-09')) return
    for (const name of names) if (!outcome.seen.has(name)) checkProperty(name, inner, 'unevaluatedProperties')
  }
}

const properties = (count: number) => counted(count, 'property', 'properties')
