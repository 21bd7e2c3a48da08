/** Makes values that a schema allows: for "Fill example", for help texts and for tests. */

import { Budget, defaultProofLimits, OutOfBudget } from '../compat/proof-limits.ts'
import { jsonEquals } from '../json/equality.ts'
import { isObject, type Json, jsonType, own, setOwnMember } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { pseudoRandom } from '../validation/random.ts'
import { partValidators } from '../validation/schema-validator.ts'
import { readDescribedExamples } from '../validation/text-example.ts'
import type { FormNode } from './form-node.ts'
import { type FormPlanner, getFormPlanner } from './form-schema.ts'
import { sampleNumber, sampleText } from './sample-scalar.ts'

/** The optional fields of a sample. `some` asks `random` for each field. */
export type OptionalFields = 'none' | 'some' | 'all'

export interface SampleOptions {
  /** Returns numbers from 0 up to 1. Without it, the sample is always the same. */
  readonly random?: () => number
  readonly optional?: OptionalFields
  /** Inputs that were saved for the schema: their values come first, wherever they are valid. */
  readonly saved?: readonly Json[]
  /** Maximum steps (core/compat/proof-limits.ts) of the search for a valid value; 40,000 by default. */
  readonly steps?: number
}

/** Optional parts are left out below this level, so that a recursive schema ends. */
const maxOptionalDepth = 4
const maxDepth = 24
const maxNodes = 4000
/** The steps of one node, which is planned for the form first. */
const nodeSteps = 4
const tries = 12

/**
 * Returns a value that is valid for `schema` if a few tries find one; else the closest of them. Saved inputs come first,
 * then the author's own examples and defaults, then the examples that descriptions name in words.
 */
export function sampleValue(schema: JsonSchema, options: SampleOptions = {}): Json {
  return createPartSampler(schema, options.steps)(schema, options)
}

/**
 * Does the same as `sampleValue` for parts of one schema, which is read once: `root` gives the dialect and the targets
 * of references. All samples share the steps.
 */
export function createPartSampler(
  root: JsonSchema,
  steps = 40_000,
): (part: JsonSchema, options?: SampleOptions) => Json {
  const budget = new Budget({ ...defaultProofLimits, steps })
  const getValidator = partValidators(root, { budget })
  const described = new Map<string, readonly string[]>()
  const common = { planner: getFormPlanner(root), budget, getValidator, described }
  return (part, options = {}) => {
    const validate = getValidator(part)
    const { saved = [] } = options
    let best: { readonly value: Json; readonly issues: number } | undefined
    for (const attempt of attempts(options)) {
      const value = new Sampler({ ...common, ...attempt }).sample(part, part === root ? 0 : 1, saved)
      const { verdict, issues, more = 0 } = validate(value)
      if (verdict !== 'invalid') return value
      if (!best || issues.length + more < best.issues) best = { value, issues: issues.length + more }
    }
    return best?.value ?? {}
  }
}

function* attempts({
  random,
  optional = 'all',
}: SampleOptions): Generator<Required<Pick<SampleOptions, 'random' | 'optional'>>> {
  const seeded = random ?? pseudoRandom(7)
  yield { random: random ?? (() => 0), optional }
  yield { random: random ?? (() => 0), optional: 'none' }
  for (let index = 0; index < tries; index++)
    yield { random: seeded, optional: index % 2 ? 'some' : optional }
  for (let index = 0; index < tries; index++) yield { random: seeded, optional: index % 2 ? 'some' : 'none' }
}

interface SamplerParts {
  readonly planner: FormPlanner
  readonly budget: Budget
  readonly getValidator: ReturnType<typeof partValidators>
  readonly random: () => number
  readonly optional: OptionalFields
  /** The examples of each description that was read, for all attempts. */
  readonly described: Map<string, readonly string[]>
}

class Sampler {
  private readonly planner: FormPlanner
  private readonly random: () => number
  private readonly optional: OptionalFields
  private readonly budget: Budget
  private readonly getValidator: SamplerParts['getValidator']
  private readonly described: SamplerParts['described']
  private nodes = 0

  constructor(parts: SamplerParts) {
    this.planner = parts.planner
    this.budget = parts.budget
    this.getValidator = parts.getValidator
    this.random = parts.random
    this.optional = parts.optional
    this.described = parts.described
  }

  /** @param saved the values of saved inputs at this location */
  sample(schema: JsonSchema, depth = 0, saved: readonly Json[] = []): Json {
    const node = this.planner.plan(schema)
    this.nodes++
    const given = this.given(schema, node, depth, saved)
    if (given !== undefined) return given
    if (node.nullable && this.random() > 0.9) return null
    if (depth > maxDepth || this.nodes > maxNodes || this.isOver()) return this.smallest(node)
    return this.make(node, depth, saved)
  }

  private isOver(): boolean {
    try {
      this.budget.step(nodeSteps)
      return false
    } catch (thrown) {
      if (thrown instanceof OutOfBudget) return true
      throw thrown
    }
  }

  /** Returns the first valid value that a user or the author gave. */
  private given(schema: JsonSchema, node: FormNode, depth: number, saved: readonly Json[]): Json | undefined {
    const { examples, example, description } = node.schema
    const stated = [...(Array.isArray(examples) ? examples : []), example] as (Json | undefined)[]
    // A default of the whole input is what the tool does without one, not an example.
    if (depth > 0) stated.push(node.schema.default as Json | undefined)
    // The fields of an object are looked up one by one: a saved input may have more than the wanted ones.
    if (node.kind !== 'object') stated.unshift(...saved)
    const inWords = typeof description === 'string' ? toNodeValues(node, this.readDescribed(description)) : []
    const usable = [...stated.filter(value => value !== undefined && isOfKind(node, value)), ...inWords]
    if (usable.length === 0 || this.random() >= 0.7) return undefined
    const validate = this.getValidator(schema)
    return usable.find((value): value is Json => value !== undefined && validate(value).verdict !== 'invalid')
  }

  private readDescribed(description: string): readonly string[] {
    const known = this.described.get(description) ?? readDescribedExamples(description)
    this.described.set(description, known)
    return known
  }

  private make(node: FormNode, depth: number, saved: readonly Json[] = []): Json {
    switch (node.kind) {
      case 'const':
        return node.value
      case 'enum':
        return this.pick(node.options)?.value ?? null
      case 'boolean':
        return this.random() < 0.5
      case 'number':
        return sampleNumber(node.schema, node.integer, this.random)
      case 'string':
        return sampleText(node.schema, node.control, this.random)
      case 'null':
      case 'never':
        return null
      case 'any':
        // A tool's input is an object, even if its schema does not say so.
        if (depth === 0) return {}
        return this.random() < 0.8 ? 'text' : 1
      case 'union':
        return this.sample(this.branch(node.branches.map(branch => branch.schema)), depth + 1, saved)
      case 'array':
        return this.list(node, depth)
      case 'object':
        return this.object(node, depth, saved)
    }
  }

  /** At a deep level, prefers a branch that ends to one with another level. */
  private branch(branches: readonly JsonSchema[]): JsonSchema {
    if (this.nodes > maxNodes / 2 || this.random() === 0) {
      const ends = branches.find(
        schema => !['object', 'array', 'union'].includes(this.planner.plan(schema).kind),
      )
      if (ends !== undefined && this.nodes > 200) return ends
    }
    return this.pick(branches) ?? true
  }

  private list(node: Extract<FormNode, { kind: 'array' }>, depth: number): Json {
    // A required list of a small example has one item: an empty list shows nothing.
    const wanted =
      depth > maxOptionalDepth ? 0 : this.optional === 'none' ? 1 : 1 + Math.floor(this.random() * 2)
    const open = node.items === false ? 0 : wanted
    const length = Math.min(
      Math.max(node.minItems, node.prefix.length > 0 ? node.prefix.length : open),
      node.maxItems,
      200,
    )
    const items: Json[] = []
    for (let index = 0; index < length; index++) {
      const schema = node.prefix[index] ?? node.items
      let item = this.sample(schema, depth + 1)
      for (let retry = 0; node.unique && retry < 20 && items.some(other => jsonEquals(other, item)); retry++)
        item = this.distinct(schema, item, index + retry, depth)
      items.push(item)
    }
    return items
  }

  private distinct(schema: JsonSchema, item: Json, index: number, depth: number): Json {
    const node = this.planner.plan(schema)
    if (node.kind === 'enum') return node.options[index % node.options.length]?.value ?? null
    if (typeof item === 'string' && node.kind === 'string' && node.control === 'text')
      return `${item}${index}`
    if (typeof item === 'number') return item + index + 1
    return this.sample(schema, depth + 1)
  }

  private object(node: Extract<FormNode, { kind: 'object' }>, depth: number, saved: readonly Json[]): Json {
    const value: Record<string, Json> = {}
    this.fill(value, node, depth, saved)
    const demanded = node.demands.flatMap(demand => this.pick(demand.alternatives) ?? [])
    const schemas = new Map(node.properties.map(({ name, schema }) => [name, schema]))
    const extra = node.dependentRequired.flatMap(([key, names]) => (Object.hasOwn(value, key) ? names : []))
    for (const name of [...demanded, ...extra]) {
      if (!Object.hasOwn(value, name))
        setOwnMember(value, name, this.sample(schemas.get(name) ?? node.additional, depth + 1))
    }
    for (const [key, schema] of node.dependentSchemas)
      if (Object.hasOwn(value, key)) this.overlay(value, schema, depth)
    for (const conditional of node.conditionals) {
      const { verdict } = this.getValidator(conditional.if)(value)
      this.overlay(value, verdict === 'valid' ? conditional.then : conditional.else, depth)
    }
    this.reachMinimum(value, node, depth)
    return value
  }

  private fill(
    value: Record<string, Json>,
    node: Extract<FormNode, { kind: 'object' }>,
    depth: number,
    saved: readonly Json[],
  ): void {
    for (const property of node.properties) {
      if (Object.hasOwn(value, property.name)) continue
      const planned = this.planner.plan(property.schema)
      if (planned.kind === 'never') continue
      const wanted = property.required || (depth <= maxOptionalDepth && this.wantsOptional(depth))
      if (wanted && (property.required || this.nodes < maxNodes / 4))
        setOwnMember(
          value,
          property.name,
          this.sample(property.schema, depth + 1, getSavedValues(saved, property.name)),
        )
    }
  }

  /** Adds the required and fixed fields of a condition to the current fields. */
  private overlay(value: Record<string, Json>, schema: JsonSchema, depth: number): void {
    const node = this.planner.plan(schema)
    if (node.kind !== 'object') return
    for (const property of node.properties) {
      const { kind } = this.planner.plan(property.schema)
      const fixed = kind === 'const' || kind === 'enum'
      if (
        property.required
          ? !Object.hasOwn(value, property.name) || fixed
          : fixed && Object.hasOwn(value, property.name)
      )
        setOwnMember(value, property.name, this.sample(property.schema, depth + 1))
    }
  }

  private reachMinimum(
    value: Record<string, Json>,
    node: Extract<FormNode, { kind: 'object' }>,
    depth: number,
  ): void {
    const { minProperties } = node.schema
    const least = typeof minProperties === 'number' ? minProperties : 0
    const wanted = Math.min(200, Math.max(least, isStatedMap(node) && this.wantsOptional(depth) ? 1 : 0))
    let size = Object.keys(value).length
    for (const property of node.properties) {
      if (size >= least) break
      size += Object.hasOwn(value, property.name) ? 0 : 1
      if (!Object.hasOwn(value, property.name))
        setOwnMember(value, property.name, this.sample(property.schema, depth + 1))
    }
    for (let index = 0; Object.keys(value).length < wanted && index < 300; index++) {
      const [pattern] = node.patterns
      const names = pattern ? { type: 'string', pattern: pattern.pattern } : (node.propertyNames ?? true)
      const sampled = names === true ? `key${index + 1}` : this.sample(names, depth + 1)
      const key = typeof sampled === 'string' ? sampled : `key${index + 1}`
      setOwnMember(value, key, this.sample(pattern?.schema ?? node.additional, depth + 1))
    }
  }

  private wantsOptional(depth: number): boolean {
    if (this.optional === 'none' || depth > maxOptionalDepth) return false
    return this.optional === 'all' || this.random() < 0.5
  }

  private smallest(node: FormNode): Json {
    if (node.nullable) return null
    if (node.kind === 'object') return {}
    if (node.kind === 'array') return []
    return node.kind === 'union' ? null : this.make(node, maxDepth)
  }

  private pick<Item>(items: readonly Item[]): Item | undefined {
    return items[Math.floor(this.random() * items.length)]
  }
}

/** Whether the schema names no property but describes the values or keys of others: a map. `true` describes nothing. */
function isStatedMap(node: Extract<FormNode, { kind: 'object' }>): boolean {
  const { additional, patterns, properties, propertyNames } = node
  if (properties.length > 0) return false
  if (patterns.length > 0) return true
  if (additional === false) return false
  return propertyNames !== undefined || (isObject(additional) && Object.keys(additional).length > 0)
}

/** Returns the values that saved inputs have under a name. */
function getSavedValues(saved: readonly Json[], name: string): Json[] {
  return saved.flatMap(input => (isObject(input) ? ((own(input, name) as Json | undefined) ?? []) : []))
}

/** Returns texts as values of the node's kind. */
function toNodeValues(node: FormNode, texts: readonly string[]): readonly Json[] {
  if (texts.length === 0 || ['const', 'null', 'never', 'any'].includes(node.kind)) return []
  const parsed = texts.flatMap(text => {
    const reading = readJson(text)
    return reading.ok && reading.value !== undefined ? [reading.value] : []
  })
  const fitting = parsed.filter(value => isOfKind(node, value))
  switch (node.kind) {
    case 'string':
    case 'enum':
      return texts
    case 'union':
      return [...parsed, ...texts]
    case 'array': {
      const items = [...texts, ...parsed.filter(value => typeof value !== 'string')]
      const least = Math.max(1, node.minItems)
      return [...fitting, ...items.map((_, index) => items.slice(index, index + least))]
    }
    default:
      return fitting
  }
}

function isOfKind(node: FormNode, value: Json): boolean {
  if (value === null) return node.nullable
  const type = jsonType(value)
  if (['any', 'enum', 'union'].includes(node.kind)) return true
  if (node.kind === 'object') return isObject(value) && Object.keys(value).length > 0
  return type === node.kind
}
