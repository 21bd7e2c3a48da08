/** Checks one value against the keywords about objects. */

import { isObject, own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import { counted } from '../text/wording.ts'
import { readCount } from './read-values.ts'
import type { Context, Evaluator, Outcome, SchemaFacts } from './schema-failure.ts'

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
