/** Compiles the keywords about plain values (type, enum, const, numbers, texts) and about arrays. */

import { isObject, own, type UnknownObject } from '../json/json.ts'
import { type Dialect, isSince } from '../schema/keywords.ts'
import { isMultiple, rational, readCount, readRational } from './numbers.ts'
import type { Budget } from './proof-limits.ts'
import type { ScopedSchema } from './registry.ts'
import { keySet, type Term, typeBits } from './term.ts'
import type { Terms } from './terms.ts'

/** The functions with which the keywords of one type read the schemas inside them. */
export interface Compiler {
  readonly terms: Terms
  readonly budget: Budget
  /** Reads without closing objects: below `not`, `if` and `contains`, closed objects would allow more, not less. */
  open<Result>(read: () => Result): Result
  /** Returns the location of a schema inside another one. */
  inside(scoped: ScopedSchema, schema: unknown, ...steps: (string | number)[]): ScopedSchema
  /** Returns the term of a schema for a property, an item or a name of the current value. */
  below(scoped: ScopedSchema): Term
  /** Returns the term of a schema for the current value itself. */
  read(scoped: ScopedSchema): Term
  /** Returns the targets of `$ref` and `$dynamicRef`. */
  references(scoped: ScopedSchema): ScopedSchema[]
  /** Returns the members of `allOf`, `anyOf` or `oneOf`. */
  members(scoped: ScopedSchema, keyword: string): ScopedSchema[]
  /**
   * Does `work` for a schema. Throws Undecided if the same work is in progress: the schema refers to itself without
   * end.
   */
  once<Result>(work: string, scoped: ScopedSchema, run: () => Result): Result
  /** Returns the schema under a keyword, if there is one. */
  under(scoped: ScopedSchema, keyword: string): ScopedSchema | undefined
}

const one = rational(1n)

export function valueTerms(terms: Terms, schema: UnknownObject, dialect: Dialect): Term[] {
  return [
    ...typeTerms(terms, schema),
    ...constantTerms(terms, schema, dialect),
    ...numberTerms(terms, schema),
    ...textTerms(terms, schema),
  ]
}

function typeTerms(terms: Terms, schema: UnknownObject): Term[] {
  const type = own(schema, 'type')
  if (type === undefined) return []
  const names: unknown[] = Array.isArray(type) ? type : [type]
  return [
    terms.or(
      names.map(name => {
        if (name === 'integer') return terms.and([terms.type(typeBits.number), terms.multiple(one)])
        return terms.type(typeBits[name as keyof typeof typeBits] ?? 0)
      }),
    ),
  ]
}

function constantTerms(terms: Terms, schema: UnknownObject, dialect: Dialect): Term[] {
  const result: Term[] = []
  const list = own(schema, 'enum')
  if (Array.isArray(list)) result.push(constants(terms, list))
  if (Object.hasOwn(schema, 'const') && isSince(dialect, 'draft-06'))
    result.push(constant(terms, schema.const))
  return result
}

function constants(terms: Terms, values: readonly unknown[]): Term {
  const scalars = values.filter(value => !Array.isArray(value) && !isObject(value))
  const others = values.filter(value => Array.isArray(value) || isObject(value))
  return terms.or([terms.values(scalars), ...others.map(value => constant(terms, value))])
}

/** Returns the term for exactly this value. Arrays and objects are split into parts, so that they can be negated. */
export function constant(terms: Terms, value: unknown): Term {
  if (Array.isArray(value))
    return terms.and([
      terms.type(typeBits.array),
      terms.size(value.length, value.length),
      ...value.map((item, index) => terms.items(index, index + 1, constant(terms, item))),
    ])
  if (isObject(value)) {
    const keys = Object.keys(value)
    return terms.and([
      terms.type(typeBits.object),
      terms.fields(0, keys.length),
      ...keys.map(key => terms.some(keySet({ names: [key] }), constant(terms, value[key]))),
    ])
  }
  return terms.values([value])
}

function numberTerms(terms: Terms, schema: UnknownObject): Term[] {
  const result: Term[] = []
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = {
    minimum: readRational(own(schema, 'minimum')),
    maximum: readRational(own(schema, 'maximum')),
    exclusiveMinimum: own(schema, 'exclusiveMinimum'),
    exclusiveMaximum: own(schema, 'exclusiveMaximum'),
    multipleOf: readRational(own(schema, 'multipleOf')),
  }
  if (minimum) result.push(terms.bound('min', minimum, exclusiveMinimum === true))
  if (maximum) result.push(terms.bound('max', maximum, exclusiveMaximum === true))
  const above = readRational(exclusiveMinimum)
  const below = readRational(exclusiveMaximum)
  if (above) result.push(terms.bound('min', above, true))
  if (below) result.push(terms.bound('max', below, true))
  if (multipleOf) {
    const isWhole = isMultiple(multipleOf, one)
    if (isWhole) result.push(terms.multiple(one))
    result.push(terms.multiple(multipleOf))
  }
  return result
}

function textTerms(terms: Terms, schema: UnknownObject): Term[] {
  const min = readCount(own(schema, 'minLength')) ?? 0
  const max = readCount(own(schema, 'maxLength')) ?? Number.POSITIVE_INFINITY
  const pattern = own(schema, 'pattern')
  return [
    terms.length(min, Number.POSITIVE_INFINITY),
    terms.length(0, max),
    ...(typeof pattern === 'string' ? [terms.pattern(pattern)] : []),
  ]
}

const infinity = Number.POSITIVE_INFINITY

export function arrayTerms(compiler: Compiler, scoped: ScopedSchema, schema: UnknownObject): Term[] {
  const { terms } = compiler
  const { dialect } = scoped.node.resource
  const result = [
    terms.size(readCount(own(schema, 'minItems')) ?? 0, infinity),
    terms.size(0, readCount(own(schema, 'maxItems')) ?? infinity),
  ]
  const { prefix, rest } = itemSchemas(compiler, scoped, schema)
  for (const [index, item] of prefix.entries())
    result.push(terms.items(index, index + 1, compiler.below(item)))
  if (rest) result.push(terms.items(prefix.length, infinity, compiler.below(rest)))
  if (own(schema, 'uniqueItems') === true) result.push(terms.unique())
  const contains = isSince(dialect, 'draft-06') ? compiler.under(scoped, 'contains') : undefined
  if (contains) {
    const counted = isSince(dialect, '2019-09')
    const min = (counted ? readCount(own(schema, 'minContains')) : undefined) ?? 1
    const max = (counted ? readCount(own(schema, 'maxContains')) : undefined) ?? infinity
    const item = compiler.open(() => compiler.below(contains))
    result.push(terms.count(0, infinity, item, min, infinity), terms.count(0, infinity, item, 0, max))
  }
  return result
}

/** Returns the schemas of the first items one by one, and the schema of all later ones, in any dialect's form. */
export function itemSchemas(
  compiler: Compiler,
  scoped: ScopedSchema,
  schema: UnknownObject,
): { prefix: readonly ScopedSchema[]; rest: ScopedSchema | undefined } {
  if (isSince(scoped.node.resource.dialect, '2020-12'))
    return { prefix: compiler.members(scoped, 'prefixItems'), rest: compiler.under(scoped, 'items') }
  if (!Array.isArray(own(schema, 'items'))) return { prefix: [], rest: compiler.under(scoped, 'items') }
  return { prefix: compiler.members(scoped, 'items'), rest: compiler.under(scoped, 'additionalItems') }
}
