import { canonicalJson } from '../../json/equality.ts'
import { own } from '../../json/json.ts'
import { pointerStep } from '../../json/pointer.ts'
import { isSince } from '../../json-schema/keywords.ts'
import { countOf } from '../values.ts'
import { type Check, checkCount, checkEntry, checkUnevaluated, type Failure, failure } from './failure.ts'

type ArrayCheck = Check<readonly unknown[]>

/** The keywords about arrays, on one value. */
export function checkArray(check: ArrayCheck): Failure | undefined {
  const { value, context, schema } = check
  return (
    checkCount(check, value.length, 'Items') ??
    (own(schema, 'uniqueItems') === true &&
    new Set(value.map(item => canonicalJson(item))).size < value.length
      ? failure(context, 'uniqueItems', 'must not hold the same item twice')
      : undefined) ??
    checkItems(check) ??
    checkContains(check) ??
    checkUnevaluated(check, 'unevaluatedItems', value.entries())
  )
}

function checkItems(check: ArrayCheck): Failure | undefined {
  const { value, context, schema } = check
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
    const found = checkEntry(check, [index, item], inPrefix ? prefix[index] : rest, steps)
    if (found) return found
  }
  return undefined
}

function checkContains({ evaluator, value, context, schema, seen }: ArrayCheck): Failure | undefined {
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
