/**
 * Compiles `unevaluatedProperties` and `unevaluatedItems`: a schema is split into cases by which of its parts hold;
 * each case knows what those parts evaluate, and the keyword applies to the rest.
 */

import { isObject, own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import { type Compiler, itemSchemas } from './compile-keywords.ts'
import { Undecided } from './proof-limits.ts'
import type { ScopedSchema } from './registry.ts'
import { keySet, type Term, typeBits } from './term.ts'

/** The evaluated parts: names, patterns, all properties; the items before an index, and items that satisfy a term. */
interface EvaluatedParts {
  /** Whether there was a `properties`. */
  readonly lists: boolean
  readonly allKeys: boolean
  readonly names: readonly string[]
  readonly patterns: readonly string[]
  readonly items: number
  readonly matching: readonly Term[]
}

interface Case {
  readonly when: Term
  readonly seen: EvaluatedParts
}

/** `declared` is about keys too, but `additionalProperties: true` does not count there. */
type EvaluatedKind = 'keys' | 'items' | 'declared'

const nothing: EvaluatedParts = {
  lists: false,
  allKeys: false,
  names: [],
  patterns: [],
  items: 0,
  matching: [],
}
const infinity = Number.POSITIVE_INFINITY
const maxCases = 2_000

export function unevaluatedTerms(compiler: Compiler, scoped: ScopedSchema, schema: UnknownObject): Term[] {
  if (!isSince(scoped.node.resource.dialect, '2019-09')) return []
  const { terms } = compiler
  const result: Term[] = []
  const properties = compiler.under(scoped, 'unevaluatedProperties')
  if (properties) {
    const value = compiler.below(properties)
    const rule = ({ seen }: Case) =>
      seen.allKeys
        ? terms.always
        : terms.every(keySet({ complement: true, names: seen.names, patterns: seen.patterns }), value)
    result.push(...cases(compiler, scoped, schema, 'keys').map(one => implied(compiler, one, rule)))
  }
  const items = compiler.under(scoped, 'unevaluatedItems')
  if (items) {
    const value = compiler.below(items)
    const rule = ({ seen }: Case) => terms.items(seen.items, infinity, terms.or([value, ...seen.matching]))
    result.push(...cases(compiler, scoped, schema, 'items').map(one => implied(compiler, one, rule)))
  }
  return result
}

/**
 * Closes objects to their declared properties, even if `allOf`, `anyOf`, `$ref` … declare them. Objects that list no
 * properties or restrict additional ones stay unchanged.
 */
export function declaredTerms(compiler: Compiler, scoped: ScopedSchema): Term[] {
  const { terms } = compiler
  const { schema } = scoped.node
  if (!isObject(schema)) return []
  const found = compiler.open(() => casesInside(compiler, scoped, 'declared'))
  return found.map(one =>
    implied(compiler, one, ({ seen }) =>
      seen.allKeys || !seen.lists
        ? terms.always
        : terms.every(keySet({ complement: true, names: seen.names, patterns: seen.patterns }), terms.never),
    ),
  )
}

function implied({ terms }: Compiler, one: Case, rule: (one: Case) => Term): Term {
  return terms.or([terms.negate(one.when), rule(one)])
}

/** Returns the cases of one schema, without its own unevaluated keyword. Exactly one case holds for each value. */
function cases(compiler: Compiler, scoped: ScopedSchema, schema: UnknownObject, side: EvaluatedKind): Case[] {
  const { terms } = compiler
  let result: Case[] = [{ when: terms.always, seen: ownSeen(compiler, scoped, schema, side) }]
  const combine = (others: readonly Case[]) => {
    if (others.length === 1 && others[0]?.when === terms.always && isNothing(others[0].seen)) return
    result = merge(
      compiler,
      result.flatMap(one => others.map(other => both(compiler, one, other))),
    )
  }
  const inside = (inner: ScopedSchema) => casesInside(compiler, inner, side)
  for (const target of compiler.references(scoped)) combine(inside(target))
  for (const member of compiler.members(scoped, 'allOf')) combine(inside(member))
  for (const keyword of ['anyOf', 'oneOf'])
    for (const member of compiler.members(scoped, keyword)) {
      const found = inside(member)
      if (found.every(({ seen }) => isNothing(seen))) continue
      combine(conditional(compiler, compiler.read(member), found, [{ when: terms.always, seen: nothing }]))
    }
  const condition = compiler.under(scoped, 'if')
  if (condition) {
    const then = compiler.under(scoped, 'then')
    const otherwise = compiler.under(scoped, 'else')
    const held = inside(condition).flatMap(one =>
      (then ? inside(then) : [{ when: terms.always, seen: nothing }]).map(other =>
        both(compiler, one, other),
      ),
    )
    const failed = otherwise ? inside(otherwise) : [{ when: terms.always, seen: nothing }]
    combine(conditional(compiler, compiler.read(condition), held, failed))
  }
  for (const keyword of ['dependentSchemas', 'dependencies'])
    for (const [name, inner] of Object.entries(objectUnder(schema, keyword))) {
      if (Array.isArray(inner)) continue
      const has = terms.and([
        terms.type(typeBits.object),
        terms.some(keySet({ names: [name] }), terms.always),
      ])
      const found = inside(compiler.inside(scoped, inner, keyword, name))
      combine(conditional(compiler, has, found, [{ when: terms.always, seen: nothing }]))
    }
  return result
}

function objectUnder(schema: UnknownObject, keyword: string): UnknownObject {
  const value = own(schema, keyword)
  return isObject(value) ? value : {}
}

/** Returns the cases of a part. An unevaluated keyword of the part itself evaluates everything that is left. */
function casesInside(compiler: Compiler, scoped: ScopedSchema, side: EvaluatedKind): Case[] {
  const { schema } = scoped.node
  if (!isObject(schema)) return [{ when: compiler.terms.always, seen: nothing }]
  compiler.budget.step()
  const keyword = side === 'items' ? 'unevaluatedItems' : 'unevaluatedProperties'
  if (own(schema, keyword) !== undefined)
    return [{ when: compiler.terms.always, seen: { ...nothing, allKeys: true, items: infinity } }]
  return compiler.once(side, scoped, () => cases(compiler, scoped, schema, side))
}

function ownSeen(
  compiler: Compiler,
  scoped: ScopedSchema,
  schema: UnknownObject,
  side: EvaluatedKind,
): EvaluatedParts {
  if (side !== 'items') {
    const additional = own(schema, 'additionalProperties')
    const allKeys = additional !== undefined && !(side === 'declared' && additional === true)
    const names = Object.keys(objectUnder(schema, 'properties'))
    const patterns = Object.keys(objectUnder(schema, 'patternProperties'))
    return { ...nothing, lists: isObject(own(schema, 'properties')), allKeys, names, patterns }
  }
  const { prefix, rest } = itemSchemas(compiler, scoped, schema)
  const contains = isSince(scoped.node.resource.dialect, '2020-12')
    ? compiler.under(scoped, 'contains')
    : undefined
  const matching = contains ? [compiler.open(() => compiler.below(contains))] : []
  return { ...nothing, items: rest ? infinity : prefix.length, matching }
}

function isNothing(seen: EvaluatedParts): boolean {
  return seenKey(seen) === seenKey(nothing)
}

function seenKey(seen: EvaluatedParts): string {
  if (seen.allKeys && seen.items === infinity) return 'all'
  const names = seen.allKeys ? [] : [...new Set(seen.names)].sort()
  const patterns = seen.allKeys ? [] : [...new Set(seen.patterns)].sort()
  const matching = seen.items === infinity ? [] : [...new Set(seen.matching.map(({ id }) => id))].sort()
  return JSON.stringify([
    seen.allKeys || seen.lists,
    seen.allKeys,
    names,
    patterns,
    String(seen.items),
    matching,
  ])
}

function both({ terms }: Compiler, a: Case, b: Case): Case {
  return {
    when: terms.and([a.when, b.when]),
    seen: {
      lists: a.seen.lists || b.seen.lists,
      allKeys: a.seen.allKeys || b.seen.allKeys,
      names: [...a.seen.names, ...b.seen.names],
      patterns: [...a.seen.patterns, ...b.seen.patterns],
      items: Math.max(a.seen.items, b.seen.items),
      matching: [...a.seen.matching, ...b.seen.matching],
    },
  }
}

function conditional(
  { terms }: Compiler,
  test: Term,
  held: readonly Case[],
  failed: readonly Case[],
): Case[] {
  const fails = terms.negate(test)
  return [
    ...held.map(one => ({ ...one, when: terms.and([test, one.when]) })),
    ...failed.map(one => ({ ...one, when: terms.and([fails, one.when]) })),
  ]
}

/** Merges cases with equal evaluated parts, and removes impossible cases. */
function merge(compiler: Compiler, list: readonly Case[]): Case[] {
  const { terms } = compiler
  const grouped = new Map<string, Case>()
  for (const one of list) {
    compiler.budget.step()
    if (one.when === terms.never) continue
    const key = seenKey(one.seen)
    const known = grouped.get(key)
    grouped.set(key, known ? { ...known, when: terms.or([known.when, one.when]) } : one)
  }
  if (grouped.size > maxCases) throw new Undecided('an unevaluated keyword has too many cases')
  return [...grouped.values()]
}
