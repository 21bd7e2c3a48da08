/** Compiles the keywords about arrays. */

import { own, type UnknownObject } from '../json/json.ts'
import { isSince } from '../schema/keywords.ts'
import type { Compiler } from './compiler.ts'
import { readCount } from './read-values.ts'
import type { ScopedSchema } from './registry.ts'
import type { Term } from './term.ts'

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
