/**
 * Validates a value against a schema, straight from its keywords (JSON Schema of every draft from 4 on): exact numbers,
 * every reference inside the document, nothing compiled. It is the program's validator
 * (core/validation/schema-validator.ts), and the check that every witness of the engine must pass, independently of the
 * terms.
 */
import { own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import type { LocatedSchema } from '../schema/schema-document.ts'
import { allSchemas } from '../schema/walk.ts'
import { schemaProblem } from './check-schema.ts'
import { checkArray } from './evaluate-arrays.ts'
import { checkObject } from './evaluate-objects.ts'
import { checkValue } from './evaluate-values.ts'
import {
  type Context,
  type Evaluator,
  type Failure,
  type Matches,
  Outcome,
  pathTo,
  type SchemaFacts,
  type Seen,
} from './failure.ts'
import { Undecided } from './limits.ts'
import { DynamicScope, type Registry } from './registry.ts'

/** A text of megabytes costs as much as thousands of small values. */
const charactersPerStep = 1_000

export interface EvaluatorOptions {
  /** Does a text match a pattern? May throw Undecided. */
  readonly matches: Matches
  /** Is a text or number of a `format`? Formats say nothing without it. */
  readonly isOfFormat?: (format: string, value: unknown) => boolean
  /** Called with each schema that is applied to a value, with what that costs; may throw to end the work. */
  readonly step?: (cost: number) => void
  /** Ends at the first failure. */
  readonly firstOnly?: boolean
  /** Schemas inside one another that are followed; no limit but the stack's unless given. */
  readonly maxDepth?: number
}

/** Where nothing asks what was seen. */
const nothingSeen: Seen = { has: () => false, add: () => {}, [Symbol.iterator]: () => [].values() }

export class SchemaEvaluator implements Evaluator {
  readonly matches: Matches
  /** The `format` that was met for each text, by its JSON Pointer. */
  readonly formats = new Map<string, string>()
  private readonly registry: Registry
  private readonly options: EvaluatorOptions
  private readonly tracksSeen: boolean
  private readonly known = new Map<LocatedSchema, SchemaFacts>()

  constructor(registry: Registry, options: EvaluatorOptions) {
    this.registry = registry
    this.options = options
    this.matches = options.matches
    this.tracksSeen =
      registry.hasOthers ||
      allSchemas(registry.root.schema, Number.POSITIVE_INFINITY).some(
        ({ schema }) => 'unevaluatedProperties' in schema || 'unevaluatedItems' in schema,
      )
  }

  /**
   * Why the value breaks the schema at `node`, empty when it is valid.
   *
   * @throws Undecided where a schema that the value leads to is broken, or refers to what is not there or to itself without
   *   end; RangeError where value and schema are nested deeper than the stack
   */
  check(value: unknown, node: LocatedSchema = this.registry.root): readonly Failure[] {
    const scope = DynamicScope.outside.enter(this.registry.root.resource).enter(node.resource)
    return this.evaluate(value, { node, scope, location: undefined, depth: 0, followed: undefined }).failures
  }

  isDone(outcome: Outcome): boolean {
    return this.options.firstOnly === true && !outcome.isValid
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
    if (typeof schema === 'boolean') return outcome
    if (context.depth > (this.options.maxDepth ?? Number.POSITIVE_INFINITY))
      throw new Undecided('the value is nested too deep')
    this.keywords(value, context, schema, outcome)
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
        // Up to draft-07 the keywords beside `$ref` are ignored.
        if (!isSince(context.node.resource.dialect, '2019-09')) return
      }
    checkValue(value, context, schema, outcome, this.matches)
    if (this.isDone(outcome)) return
    if (facts.hasLogic) this.logic(value, context, schema, outcome)
    if (this.isDone(outcome)) return
    if (Array.isArray(value)) checkArray(this, value, context, schema, outcome)
    else checkObject(this, value, context, schema, outcome, facts)
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

/** Names the variant that came furthest: most likely the one that was meant. */
function failUnion(outcome: Outcome, keyword: string, outcomes: readonly Outcome[], context: Context): void {
  const branches = outcomes.map(({ failures }) => failures)
  const far = branches
    .flatMap(failures => failures[0] ?? [])
    .reduce<Failure | undefined>(
      (best, one) => (best === undefined || one.path.length > best.path.length ? one : best),
      undefined,
    )
  const isDeeper = far !== undefined && far.path.length > pathTo(context.location).length
  const closest = isDeeper ? ` (closest: ${far.path} ${far.message})` : ''
  outcome.fail(keyword, `must match one of ${branches.length} variants${closest}`, { branches })
}
