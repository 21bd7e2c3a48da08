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
  if (wanted !== undefined && wanted !== type && !isOfType(value, type, wanted))
    outcome.fail('type', `must be ${[wanted].flat().join(' or ')}, not ${type}`, { limit: wanted })
  const list = own(schema, 'enum')
  if (Array.isArray(list) && !isListed(list, value))
    outcome.fail('enum', 'must be one of the listed values', { limit: list })
  if (Object.hasOwn(schema, 'const') && isSince(context.node.resource.dialect, 'draft-06'))
    if (!jsonEquals(schema.const, value))
      outcome.fail('const', 'must be the one value that is allowed', { limit: schema.const })
  if (type === 'number') checkNumber(value, schema, outcome)
  else if (typeof value === 'string') checkText(value, schema, outcome, matches)
}

function isOfType(value: unknown, type: string, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some(each => isOfType(value, type, each))
  return wanted === type || (wanted === 'integer' && isWhole(value))
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

/** An object, the schema that it is checked against, and what is found. */
interface ObjectCheck {
  readonly evaluator: Evaluator
  readonly object: UnknownObject
  readonly names: readonly string[]
  readonly context: Context
  readonly schema: UnknownObject
  readonly outcome: Outcome
}

export function checkObject(
  evaluator: Evaluator,
  object: UnknownObject,
  context: Context,
  schema: UnknownObject,
  outcome: Outcome,
  facts: SchemaFacts,
): void {
  const check = { evaluator, object, names: Object.keys(object), context, schema, outcome }
  checkSize(check)
  if (facts.hasNameRules) checkNames(check)
  checkProperties(check)
  if (facts.hasDependencies) checkDependencies(check)
  if (facts.hasUnevaluatedProperties) checkUnevaluated(check)
}

function checkSize({ object, names, schema, outcome }: ObjectCheck): void {
  const min = readCount(own(schema, 'minProperties')) ?? 0
  const max = readCount(own(schema, 'maxProperties')) ?? Number.POSITIVE_INFINITY
  if (names.length < min)
    outcome.fail('minProperties', `must have at least ${properties(min)}`, { limit: min })
  if (names.length > max)
    outcome.fail('maxProperties', `must have at most ${properties(max)}`, { limit: max })
  const required = own(schema, 'required')
  if (!Array.isArray(required)) return
  for (const name of required)
    if (!Object.hasOwn(object, name))
      outcome.fail('required', `must have the property ${JSON.stringify(String(name))}`, {
        property: String(name),
      })
}

function checkNames({ evaluator, names, context, schema, outcome }: ObjectCheck): void {
  const inner = own(schema, 'propertyNames')
  if (inner === undefined || !isSince(context.node.resource.dialect, 'draft-06')) return
  for (const name of names) {
    if (evaluator.evaluate(name, evaluator.below(context, inner, ['propertyNames'], name)).isValid) continue
    const message = `has a property name that is not allowed: ${JSON.stringify(name)}`
    outcome.fail('propertyNames', message, { property: name })
  }
}

function checkProperty(
  { evaluator, object, context, outcome }: ObjectCheck,
  name: string,
  inner: unknown,
  keyword: string,
  key?: string,
): void {
  if (evaluator.isDone(outcome)) return
  if (!evaluator.isMatch(inner, object[name])) {
    const steps = key === undefined ? [keyword] : [keyword, key]
    outcome.addFailures(evaluator.evaluate(object[name], evaluator.below(context, inner, steps, name)))
  }
  outcome.seen.add(name)
}

function checkProperties(check: ObjectCheck): void {
  const { evaluator, names, schema } = check
  const properties = own(schema, 'properties')
  const patterns = entries(schema, 'patternProperties')
  const additional = own(schema, 'additionalProperties')
  for (const name of names) {
    let isKnown = false
    if (isObject(properties) && Object.hasOwn(properties, name)) {
      isKnown = true
      checkProperty(check, name, properties[name], 'properties', name)
    }
    for (const [pattern, inner] of patterns)
      if (evaluator.matches(pattern, name)) {
        isKnown = true
        checkProperty(check, name, inner, 'patternProperties', pattern)
      }
    if (!isKnown && additional !== undefined) checkProperty(check, name, additional, 'additionalProperties')
  }
}

function entries(schema: UnknownObject, keyword: string): [string, unknown][] {
  const map = own(schema, keyword)
  return isObject(map) ? Object.entries(map) : []
}

function checkDependencies({ evaluator, object, context, schema, outcome }: ObjectCheck): void {
  const keywords = isSince(context.node.resource.dialect, '2019-09')
    ? ['dependencies', 'dependentRequired', 'dependentSchemas']
    : ['dependencies']
  for (const keyword of keywords)
    for (const [because, needed] of entries(schema, keyword)) {
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

function checkUnevaluated(check: ObjectCheck): void {
  const { names, context, schema, outcome } = check
  const inner = own(schema, 'unevaluatedProperties')
  if (inner === undefined || !isSince(context.node.resource.dialect, '2019-09')) return
  for (const name of names)
    if (!outcome.seen.has(name)) checkProperty(check, name, inner, 'unevaluatedProperties')
}

const properties = (count: number) => counted(count, 'property', 'properties')
