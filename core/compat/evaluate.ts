/**
 * Validates a value against a schema, directly from its keywords (JSON Schema of every draft from 4 on): exact numbers,
 * every reference inside the document, no compilation. It is the program's validator
 * (core/validation/schema-validator.ts), and it checks every witness of the engine independently of the terms.
 */

import { canonicalJson } from '../json/equality.ts'
import { isObject, jsonText, own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import type { LocatedSchema } from '../schema/schema-document.ts'
import { counted } from '../text/wording.ts'
import { schemaProblem } from './check-schema.ts'
import { checkObject, checkValue } from './evaluate-keywords.ts'
import { readCount } from './numbers.ts'
import { Undecided } from './proof-limits.ts'
import { DynamicScope, type Registry } from './registry.ts'
import {
  type Context,
  type EvaluatedSet,
  type Evaluator,
  Outcome,
  type PatternTest,
  pathTo,
  type SchemaFacts,
  type SchemaFailure,
} from './schema-failure.ts'

/** A text of megabytes costs as much as thousands of small values. */
const charactersPerStep = 1_000

export interface EvaluatorOptions {
  /** Returns whether a text matches a pattern. May throw Undecided. */
  readonly matches: PatternTest
  /** Returns whether a text or number has a `format`. Formats are ignored without it. */
  readonly isOfFormat?: (format: string, value: unknown) => boolean
  /** Called with the cost of each schema that is applied to a value; may throw to stop the evaluation. */
  readonly step?: (cost: number) => void
  /** Whether to stop at the first failure. */
  readonly firstOnly?: boolean
  /** Maximum nesting of schemas; only the stack limits it by default. */
  readonly maxDepth?: number
  /**
   * Whether a part that is valid is not evaluated again by the same schema: for many values that share parts, of which none
   * is changed. `formats` does not have the texts of such a part then.
   */
  readonly sharesParts?: boolean
}

/** Used if no keyword needs the evaluated properties and items. */
const nothingSeen: EvaluatedSet = { has: () => false, add: () => {}, [Symbol.iterator]: () => [].values() }

export class SchemaEvaluator implements Evaluator {
  readonly matches: PatternTest
  /** The `format` of each text, by the text's JSON Pointer. */
  readonly formats = new Map<string, string>()
  private readonly registry: Registry
  private readonly options: EvaluatorOptions
  private readonly tracksSeen: boolean
  private readonly known = new Map<LocatedSchema, SchemaFacts>()
  /** The values that match each schema; undefined if more than schema and value decides. */
  private readonly matching: Map<object, Set<unknown>> | undefined

  constructor(registry: Registry, options: EvaluatorOptions) {
    this.registry = registry
    this.options = options
    this.matches = options.matches
    // The text also contains the parts that only a reference makes a schema. A property of the same name does no harm.
    const text = jsonText(registry.root.schema)
    const mayHave = (pattern: RegExp) => text === undefined || pattern.test(text)
    const leavesDocument = registry.hasOthers && mayHave(/"\$(?:ref|dynamicRef|recursiveRef)":"(?!#)/)
    this.tracksSeen = leavesDocument || mayHave(/"unevaluated(?:Properties|Items)":/)
    const isDynamic = leavesDocument || mayHave(/"\$(?:dynamicRef|recursiveRef)":/)
    this.matching = options.sharesParts && !this.tracksSeen && !isDynamic ? new Map() : undefined
  }

  /**
   * Returns why the value breaks the schema at `node`; empty if the value is valid.
   *
   * @throws Undecided if a schema that applies to the value is broken, has a missing reference or refers to itself
   * without end; RangeError if value and schema are nested too deep for the stack
   */
  check(value: unknown, node: LocatedSchema = this.registry.root): readonly SchemaFailure[] {
    const scope = DynamicScope.outside.enter(this.registry.root.resource).enter(node.resource)
    return this.evaluate(value, { node, scope, location: undefined, depth: 0, followed: undefined }).failures
  }

  isDone(outcome: Outcome): boolean {
    return this.options.firstOnly === true && !outcome.isValid
  }

  isMatch(schema: unknown, value: unknown): boolean {
    return this.matching?.get(schema as object)?.has(value) === true
  }

  inside(context: Context, schema: unknown, ...steps: (string | number)[]): Context {
    const node = this.registry.child(context.node, schema, ...steps)
    const { location, depth, followed } = context
    return { node, scope: context.scope.enter(node.resource), location, depth: depth + 1, followed }
  }

  below(context: Context, schema: unknown, steps: (string | number)[], key: string | number): Context {
    const node = this.registry.child(context.node, schema, ...steps)
    return {
      node,
      scope: context.scope.enter(node.resource),
      location: { key, before: context.location },
      depth: context.depth + 1,
      followed: undefined,
    }
  }

  evaluate(value: unknown, context: Context): Outcome {
    this.options.step?.(typeof value === 'string' ? 1 + Math.floor(value.length / charactersPerStep) : 1)
    const { schema } = context.node
    const isHolder = this.tracksSeen && typeof value === 'object' && value !== null
    const outcome = new Outcome(context, isHolder ? new Set() : nothingSeen)
    if (schema === false) outcome.fail('false', 'is not allowed')
    if (typeof schema === 'boolean' || this.isMatch(schema, value)) return outcome
    if (context.depth > (this.options.maxDepth ?? Number.POSITIVE_INFINITY))
      throw new Undecided('the value is nested too deep')
    this.keywords(value, context, schema, outcome)
    if (this.matching !== undefined && outcome.isValid) {
      const values = this.matching.get(schema)
      if (values === undefined) this.matching.set(schema, new Set([value]))
      else values.add(value)
    }
    return outcome
  }

  private factsOf(node: LocatedSchema, schema: UnknownObject): SchemaFacts {
    const known = this.known.get(node)
    if (known) return known
    const problem = schemaProblem(schema, node.resource.dialect)
    if (problem) throw new Undecided(`${node.path}${problem.path} ${problem.reason}`)
    const has = (...names: string[]) => names.some(name => own(schema, name) !== undefined)
    const facts = {
      hasReferences: has('$ref', '$recursiveRef', '$dynamicRef'),
      hasLogic: has('allOf', 'anyOf', 'oneOf', 'not', 'if'),
      hasFormat: has('format'),
      hasNameRules: has('propertyNames'),
      hasUnevaluatedProperties: has('unevaluatedProperties'),
      hasDependencies: has('dependencies', 'dependentRequired', 'dependentSchemas'),
    }
    this.known.set(node, facts)
    return facts
  }

  private keywords(value: unknown, context: Context, schema: UnknownObject, outcome: Outcome): void {
    const facts = this.factsOf(context.node, schema)
    if (facts.hasFormat) this.format(value, context, schema, outcome)
    if (facts.hasReferences)
      for (const part of this.references(context, schema)) {
        outcome.include(this.evaluate(value, part))
        if (this.isDone(outcome)) return
        // Up to draft-07, keywords next to `$ref` are ignored.
        if (!isSince(context.node.resource.dialect, '2019-09')) return
      }
    checkValue(value, context, schema, outcome, this.matches)
    if (this.isDone(outcome)) return
    if (facts.hasLogic) this.logic(value, context, schema, outcome)
    if (this.isDone(outcome)) return
    if (Array.isArray(value)) checkArray(this, value, context, schema, outcome)
    else if (isObject(value)) checkObject(this, value, context, schema, outcome, facts)
  }

  private format(value: unknown, context: Context, schema: UnknownObject, outcome: Outcome): void {
    const format = own(schema, 'format')
    if (typeof format !== 'string') return
    if (typeof value === 'string') this.formats.set(pathTo(context.location), format)
    if (this.options.isOfFormat?.(format, value) === false)
      outcome.fail('format', `must be a valid ${format}`, { limit: format })
  }

  private references(context: Context, schema: UnknownObject): Context[] {
    return this.registry.references(context, schema).map(({ node, scope }) => {
      const key = `${node.id}:${scope.key}`
      for (let followed = context.followed; followed; followed = followed.before)
        if (followed.key === key) throw new Undecided('the schema refers to itself without end')
      const { location, depth, followed } = context
      return { node, scope, location, depth: depth + 1, followed: { key, before: followed } }
    })
  }

  private logic(value: unknown, context: Context, schema: UnknownObject, outcome: Outcome): void {
    const branches = (keyword: string): Outcome[] | undefined => {
      const list = own(schema, keyword)
      if (!Array.isArray(list)) return undefined
      return list.map((inner, index) => this.evaluate(value, this.inside(context, inner, keyword, index)))
    }
    for (const part of branches('allOf') ?? []) outcome.include(part)
    if (this.isDone(outcome)) return
    for (const keyword of ['anyOf', 'oneOf']) {
      const outcomes = branches(keyword)
      if (outcomes === undefined) continue
      const fitting = outcomes.filter(one => one.isValid)
      if (fitting.length === 0) failUnion(outcome, keyword, outcomes, context)
      else if (keyword === 'oneOf' && fitting.length > 1)
        outcome.fail('oneOf', `must match exactly one of the variants, not ${fitting.length}`)
      else for (const one of fitting) outcome.addSeen(one)
      if (this.isDone(outcome)) return
    }
    if (own(schema, 'not') !== undefined) {
      const excluded = this.evaluate(value, this.inside(context, schema.not, 'not'))
      if (excluded.isValid) outcome.fail('not', 'must not match the excluded schema', { limit: schema.not })
      if (this.isDone(outcome)) return
    }
    this.conditional(value, context, schema, outcome)
  }

  private conditional(value: unknown, context: Context, schema: UnknownObject, outcome: Outcome): void {
    if (own(schema, 'if') === undefined || !isSince(context.node.resource.dialect, 'draft-07')) return
    const test = this.evaluate(value, this.inside(context, schema.if, 'if'))
    if (test.isValid) outcome.addSeen(test)
    const keyword = test.isValid ? 'then' : 'else'
    if (own(schema, keyword) !== undefined)
      outcome.include(this.evaluate(value, this.inside(context, schema[keyword], keyword)))
  }
}

/** Names the variant that failed at the deepest location: it was most likely meant. */
function failUnion(outcome: Outcome, keyword: string, outcomes: readonly Outcome[], context: Context): void {
  const branches = outcomes.map(({ failures }) => failures)
  const far = branches
    .flatMap(failures => failures[0] ?? [])
    .reduce<SchemaFailure | undefined>(
      (best, one) => (best === undefined || one.path.length > best.path.length ? one : best),
      undefined,
    )
  const isDeeper = far !== undefined && far.path.length > pathTo(context.location).length
  const closest = isDeeper ? ` (closest: ${far.path} ${far.message})` : ''
  outcome.fail(keyword, `must match one of ${branches.length} variants${closest}`, { branches })
}

/* The keywords about arrays. */

function checkArray(
  evaluator: Evaluator,
  value: readonly unknown[],
  context: Context,
  schema: UnknownObject,
  outcome: Outcome,
): void {
  const min = readCount(own(schema, 'minItems')) ?? 0
  const max = readCount(own(schema, 'maxItems')) ?? Number.POSITIVE_INFINITY
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
    if (!evaluator.isMatch(inner, value[index]))
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
    const minMatches = (bounded ? readCount(own(schema, 'minContains')) : undefined) ?? 1
    const maxMatches =
      (bounded ? readCount(own(schema, 'maxContains')) : undefined) ?? Number.POSITIVE_INFINITY
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
