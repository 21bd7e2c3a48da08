/**
 * Validates a value against a schema, straight from its keywords and independently of the terms: the check that
 * every witness must pass before anybody sees it. Exact numbers, patterns in linear time, bounded depth.
 */

import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { isSince } from '../../json-schema/keywords.ts'
import { type Budget, Undecided } from '../limits.ts'
import { DynamicScope, type Registry } from '../parse/registry.ts'
import { checkArray } from './evaluate-arrays.ts'
import { checkObject } from './evaluate-objects.ts'
import { checkValue } from './evaluate-values.ts'
import {
  type Check,
  type Context,
  type Evaluator,
  type Failure,
  failure,
  type Matches,
  type Outcome,
} from './failure.ts'

const nothingSeen: ReadonlySet<string | number> = new Set()

export class SchemaEvaluator implements Evaluator {
  readonly matches: Matches
  /** The `format` that was met for each text, by its JSON Pointer. */
  readonly formats = new Map<string, string>()
  private readonly registry: Registry
  private readonly budget: Budget
  private readonly active = new Set<string>()

  constructor(registry: Registry, matches: Matches, budget: Budget) {
    this.registry = registry
    this.matches = matches
    this.budget = budget
  }

  /** @returns the first failure, or undefined when the value is valid. @throws Undecided where the schema has no meaning. */
  check(value: unknown): Failure | undefined {
    const { root } = this.registry
    const scope = DynamicScope.outside.enter(root.resource)
    return this.evaluate(value, { node: root, scope, path: '' }).failure
  }

  inside(context: Context, schema: unknown, steps: (string | number)[], step = ''): Context {
    const node = this.registry.child(context.node, schema, ...steps)
    return { node, scope: context.scope.enter(node.resource), path: context.path + step }
  }

  evaluate(value: unknown, context: Context): Outcome {
    this.budget.step()
    const { schema } = context.node
    if (schema === true) return { failure: undefined, seen: nothingSeen }
    if (schema === false) return { failure: failure(context, 'false', 'is not allowed'), seen: nothingSeen }
    const key = `${context.node.id}:${context.scope.key}:${context.path}`
    if (this.active.has(key)) throw new Undecided('the schema refers to itself without end')
    if (this.active.size > this.budget.limits.depth * 4) throw new Undecided('the value is nested too deep')
    this.active.add(key)
    try {
      return this.keywords(value, context, schema)
    } finally {
      this.active.delete(key)
    }
  }

  private keywords(value: unknown, context: Context, schema: UnknownObject): Outcome {
    const seen = new Set<string | number>()
    const format = own(schema, 'format')
    if (typeof value === 'string' && typeof format === 'string') this.formats.set(context.path, format)
    const parts = this.registry.references(context, schema).map(part => ({ ...part, path: context.path }))
    const referencesOnly = parts.length > 0 && !isSince(context.node.resource.dialect, '2019-09')
    for (const part of parts) {
      const outcome = this.evaluate(value, part)
      if (outcome.failure) return { failure: outcome.failure, seen }
      for (const one of outcome.seen) seen.add(one)
    }
    if (referencesOnly) return { failure: undefined, seen }
    const check = { evaluator: this, value, context, schema, seen }
    let found = checkValue(check) ?? this.logic(check)
    if (Array.isArray(value)) found ??= checkArray({ ...check, value })
    if (isObject(value)) found ??= checkObject({ ...check, value })
    return { failure: found, seen }
  }

  private logic({ value, context, schema, seen }: Check): Failure | undefined {
    const inside = (steps: (string | number)[], part: unknown) =>
      this.evaluate(value, this.inside(context, part, steps))
    const outcomes = (keyword: string): Outcome[] | undefined => {
      const list = own(schema, keyword)
      if (!Array.isArray(list)) return undefined
      return list.map((part, index) => inside([keyword, index], part))
    }
    const note = (list: readonly Outcome[]) => {
      for (const outcome of list) if (!outcome.failure) for (const one of outcome.seen) seen.add(one)
    }
    const all = outcomes('allOf') ?? []
    const broken = all.find(outcome => outcome.failure)
    if (broken) return broken.failure
    note(all)
    const any = outcomes('anyOf')
    if (any?.every(outcome => outcome.failure)) return closestVariant(any, context, 'anyOf')
    note(any ?? [])
    const one = outcomes('oneOf')
    const fitting = one?.filter(outcome => !outcome.failure).length ?? 1
    if (one && fitting === 0) return closestVariant(one, context, 'oneOf')
    if (fitting > 1)
      return failure(context, 'oneOf', `must match exactly one of the variants, not ${fitting}`)
    note(one ?? [])
    if (own(schema, 'not') !== undefined) {
      const outcome = inside(['not'], schema.not)
      if (!outcome.failure) return failure(context, 'not', 'must not match the excluded schema')
    }
    if (own(schema, 'if') === undefined || !isSince(context.node.resource.dialect, 'draft-07'))
      return undefined
    const test = inside(['if'], schema.if)
    note([test])
    const keyword = test.failure ? 'else' : 'then'
    if (own(schema, keyword) === undefined) return undefined
    const outcome = inside([keyword], schema[keyword])
    note([outcome])
    return outcome.failure
  }
}

/** The failure of the variant that came furthest: most likely the one that was meant. */
function closestVariant(outcomes: readonly Outcome[], context: Context, keyword: string): Failure {
  const failures = outcomes.flatMap(outcome => outcome.failure ?? [])
  const far = failures.reduce<Failure | undefined>(
    (best, one) => (best === undefined || one.path.length > best.path.length ? one : best),
    undefined,
  )
  const inner = far && far.path.length > context.path.length ? ` (closest: ${far.path} ${far.message})` : ''
  return failure(context, keyword, `must match one of ${failures.length} variants${inner}`)
}
