/** The keywords about arrays, on one value. */

import { canonicalJson } from '../../json/equality.ts'
import { own, type UnknownObject } from '../../json/json.ts'
import { pointerStep } from '../../json/pointer.ts'
import { isSince } from '../../json-schema/keywords.ts'
import { countOf } from '../values.ts'
import { type Context, type Evaluator, type Failure, failure } from './failure.ts'

export function checkArray(
  evaluator: Evaluator,
  value: unknown,
  context: Context,
  schema: UnknownObject,
  seen: Set<string | number>,
): Failure | undefined {
  if (!Array.isArray(value)) return undefined
  const min = countOf(own(schema, 'minItems')) ?? 0
  const max = countOf(own(schema, 'maxItems')) ?? Number.POSITIVE_INFINITY
  if (value.length < min) return failure(context, 'minItems', `must have at least ${min} items`)
  if (value.length > max) return failure(context, 'maxItems', `must have at most ${max} items`)
  if (
    own(schema, 'uniqueItems') === true &&
    new Set(value.map(item => canonicalJson(item))).size < value.length
  )
    return failure(context, 'uniqueItems', 'must not hold the same item twice')
  return (
    checkItems(evaluator, value, context, schema, seen) ??
    checkContains(evaluator, value, context, schema, seen) ??
    checkUnevaluated(evaluator, value, context, schema, seen)
  )
}

function checkItems(
  evaluator: Evaluator,
  value: readonly unknown[],
  context: Context,
  schema: UnknownObject,
  seen: Set<string | number>,
): Failure | undefined {
  const modern = isSince(context.node.resource.dialect, '2020-12')
  const asPrefix = modern ? 'prefixItems' : 'items'
  const listed = own(schema, asPrefix)
  const prefix: unknown[] = Array.isArray(listed) ? listed : []
  const asRest = modern || !Array.isArray(listed) ? 'items' : 'additionalItems'
  const rest = own(schema, asRest)
  for (const [index, item] of value.entries()) {
    const inPrefix = index < prefix.length
    if (!inPrefix && rest === undefined) break
    const steps = inPrefix ? [asPrefix, index] : [asRest]
    const inner = evaluator.inside(context, inPrefix ? prefix[index] : rest, steps, pointerStep(index))
    const outcome = evaluator.evaluate(item, inner)
    if (outcome.failure) return outcome.failure
    seen.add(index)
  }
  return undefined
}

function checkContains(
  evaluator: Evaluator,
  value: readonly unknown[],
  context: Context,
  schema: UnknownObject,
  seen: Set<string | number>,
): Failure | undefined {
  const { dialect } = context.node.resource
  if (own(schema, 'contains') === undefined || !isSince(dialect, 'draft-06')) return undefined
  const bounded = isSince(dialect, '2019-09')
  const min = (bounded ? countOf(own(schema, 'minContains')) : undefined) ?? 1
  const max = (bounded ? countOf(own(schema, 'maxContains')) : undefined) ?? Number.POSITIVE_INFINITY
  let count = 0
  for (const [index, item] of value.entries()) {
    const inner = evaluator.inside(context, schema.contains, ['contains'], pointerStep(index))
    if (evaluator.evaluate(item, inner).failure) continue
    count += 1
    if (isSince(dialect, '2020-12')) seen.add(index)
  }
  if (count < min)
    return failure(context, 'contains', `must hold at least ${min} matching items, not ${count}`)
  if (count > max)
    return failure(context, 'maxContains', `must hold at most ${max} matching items, not ${count}`)
  return undefined
}

function checkUnevaluated(
  evaluator: Evaluator,
  value: readonly unknown[],
  context: Context,
  schema: UnknownObject,
  seen: Set<string | number>,
): Failure | undefined {
  if (own(schema, 'unevaluatedItems') === undefined) return undefined
  if (!isSince(context.node.resource.dialect, '2019-09')) return undefined
  for (const [index, item] of value.entries()) {
    if (seen.has(index)) continue
    const inner = evaluator.inside(context, schema.unevaluatedItems, ['unevaluatedItems'], pointerStep(index))
    const outcome = evaluator.evaluate(item, inner)
    if (outcome.failure) return outcome.failure
    seen.add(index)
  }
  return undefined
}
