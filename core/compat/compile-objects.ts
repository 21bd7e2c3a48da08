/** The keywords about objects. */

import { isObject, own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import type { Compiler } from './compiler.ts'
import { keySet } from './key-set.ts'
import type { ScopedSchema } from './registry.ts'
import type { KeySet } from './term.ts'
import { type Term, typeBits } from './term.ts'
import type { Terms } from './terms.ts'
import { countOf } from './values.ts'

const infinity = Number.POSITIVE_INFINITY

export function objectTerms(compiler: Compiler, scoped: ScopedSchema, schema: UnknownObject): Term[] {
  const { terms } = compiler
  const result = [
    terms.fields(countOf(own(schema, 'minProperties')) ?? 0, infinity),
    terms.fields(0, countOf(own(schema, 'maxProperties')) ?? infinity),
  ]
  const required = own(schema, 'required')
  if (Array.isArray(required)) result.push(...required.map(name => has(terms, String(name))))
  for (const [name, inner] of entries(schema, 'properties')) {
    const value = compiler.below(compiler.inside(scoped, inner, 'properties', name))
    result.push(terms.every(keySet({ names: [name] }), value))
  }
  for (const [pattern, inner] of entries(schema, 'patternProperties')) {
    const value = compiler.below(compiler.inside(scoped, inner, 'patternProperties', pattern))
    result.push(terms.every(keySet({ patterns: [pattern] }), value))
  }
  const additional = compiler.under(scoped, 'additionalProperties')
  if (additional) result.push(terms.every(additionalKeys(schema), compiler.below(additional)))
  const names = isSince(scoped.node.resource.dialect, 'draft-06')
    ? compiler.under(scoped, 'propertyNames')
    : undefined
  if (names) {
    const condition = terms.and([terms.type(typeBits.string), compiler.below(names)])
    if (condition !== terms.type(typeBits.string))
      result.push(terms.every(keySet({ failing: condition }), terms.never))
  }
  result.push(...dependencies(compiler, scoped, schema))
  return result
}

function has(terms: Terms, name: string): Term {
  return terms.some(keySet({ names: [name] }), terms.always)
}

function entries(schema: UnknownObject, keyword: string): [string, unknown][] {
  const value = own(schema, keyword)
  return isObject(value) ? Object.entries(value) : []
}

/** The names that `additionalProperties` of this schema speaks of. */
function additionalKeys(schema: UnknownObject): KeySet {
  return keySet({
    complement: true,
    names: entries(schema, 'properties').map(([name]) => name),
    patterns: entries(schema, 'patternProperties').map(([pattern]) => pattern),
  })
}

/** `dependentSchemas`, `dependentRequired` and the older `dependencies`, which validators of all drafts still apply. */
function dependencies(compiler: Compiler, scoped: ScopedSchema, schema: UnknownObject): Term[] {
  const { terms } = compiler
  const result: Term[] = []
  const keywords = isSince(scoped.node.resource.dialect, '2019-09')
    ? ['dependencies', 'dependentRequired', 'dependentSchemas']
    : ['dependencies']
  for (const keyword of keywords)
    for (const [name, needed] of entries(schema, keyword)) {
      const without = terms.negate(terms.and([terms.type(typeBits.object), has(terms, name)]))
      const then = Array.isArray(needed)
        ? terms.and(needed.map(other => has(terms, String(other))))
        : compiler.read(compiler.inside(scoped, needed, keyword, name))
      result.push(terms.or([without, then]))
    }
  return result
}
