/** The keywords about arrays, on one value. */

import { canonicalJson } from '../json/equality.ts'
import { own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import { counted } from '../text/wording.ts'
import type { Context, Evaluator, Outcome } from './failure.ts'
import { countOf } from './values.ts'

export function checkArray(
  evaluator: Evaluator,
  value: readonly unknown[],
  context: Context,
  schema: UnknownObject,
  outcome: Outcome,
): void {
  const min = countOf(own(schema, 'minItems')) ?? 0
  const max = countOf(own(schema, 'maxItems')) ?? Number.POSITIVE_INFINITY
  if (value.length < min)
    outcome.fail('minItems', `must have at least ${counted(min, 'item')}`, { limit: min })
  if (value.length > max)
    outcome.fail('maxItems', `must have at most ${counted(max, 'item')}`, { limit: max })
  if (
    own(schema, 'uniqueItems') === true &&
    new Set(value.map(item => canonicalJson(item))).size < value.length
  )
    outcome.fail('uniqueItems', 'must not hold the same item twice')
  checkItems()
  checkContains()
  checkUnevaluated()

  function checkItem(index: number, inner: unknown, ...steps: (string | number)[]): void {
    outcome.addFailures(evaluator.evaluate(value[index], evaluator.below(context, inner, steps, index)))
    outcome.seen.add(index)
  }

  function checkItems(): void {
    const modern = isSince(context.node.resource.dialect, '2020-12')
    const asPrefix = modern ? 'prefixItems' : 'items'
    const listed = own(schema, asPrefix)
    const prefix: unknown[] = Array.isArray(listed) ? listed : []
    const asRest = modern || !Array.isArray(listed) ? 'items' : 'additionalItems'
    const rest = own(schema, asRest)
    for (let index = 0; index < value.length && !evaluator.isDone(outcome); index++) {
      if (index < prefix.length) checkItem(index, prefix[index], asPrefix, index)
      else if (rest === undefined) return
      else checkItem(index, rest, asRest)
    }
  }

  function checkContains(): void {
    const { dialect } = context.node.resource
    if (own(schema, 'contains') === undefined || !isSince(dialect, 'draft-06')) return
    const bounded = isSince(dialect, '2019-09')
    const minMatches = (bounded ? countOf(own(schema, 'minContains')) : undefined) ?? 1
    const maxMatches = (bounded ? countOf(own(schema, 'maxContains')) : undefined) ?? Number.POSITIVE_INFINITY
    let count = 0
    for (const [index, item] of value.entries()) {
      const inner = evaluator.below(context, schema.contains, ['contains'], index)
      if (!evaluator.evaluate(item, inner).isValid) continue
      count += 1
      if (isSince(dialect, '2020-12')) outcome.seen.add(index)
    }
    if (count < minMatches)
      outcome.fail('contains', `must hold at least ${counted(minMatches, 'matching item')}, not ${count}`, {
        limit: minMatches,
      })
    if (count > maxMatches)
      outcome.fail('maxContains', `must hold at most ${counted(maxMatches, 'matching item')}, not ${count}`, {
        limit: maxMatches,
      })
  }

  function checkUnevaluated(): void {
    const inner = own(schema, 'unevaluatedItems')
    if (inner === undefined || !isSince(context.node.resource.dialect, '2019-09')) return
    for (let index = 0; index < value.length && !evaluator.isDone(outcome); index++)
      if (!outcome.seen.has(index)) checkItem(index, inner, 'unevaluatedItems')
  }
}
