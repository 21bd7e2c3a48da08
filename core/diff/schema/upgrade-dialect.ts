/**
 * A schema of an older draft written in 2020-12, so that two sides of different drafts can be compared node by node. Sources:
 * the release notes of the drafts (https://json-schema.org/specification-links).
 */

import { isObject, own, type UnknownObject } from '../../json/json.ts'
import { type Dialect, isSince, keywords } from '../../schema/keywords.ts'
import { mapSubschemas } from '../../schema/walk.ts'
import type { Inlined } from './inline-refs.ts'

const target = '2020-12'

/** The side in 2020-12; `$schema` is left as it is written. */
export function upgradeDialect(side: Inlined): Inlined {
  const { dialect, root, definitions } = side
  if (dialect === target) return side
  return {
    ...side,
    dialect: target,
    root: upgraded(root, dialect),
    definitions: Object.fromEntries(
      Object.entries(definitions).map(([name, schema]) => [name, upgraded(schema, dialect)]),
    ),
  }
}

function upgraded(schema: unknown, from: Dialect): unknown {
  if (!isObject(schema)) return schema
  const node = mapSubschemas(schema, part => upgraded(part, from))
  const known = Object.entries(node).filter(([keyword]) => {
    const { since, role } = keywords.get(keyword) ?? {}
    // What the older draft does not know says nothing there.
    return role !== 'validation' || since === undefined || isSince(from, since)
  })
  return withBounds(withTuple(Object.fromEntries(known)), from)
}

/** Up to 2019-09 a list of `items` was what `prefixItems` is now, and `additionalItems` was the rest. */
function withTuple(node: UnknownObject): UnknownObject {
  const { items, additionalItems, ...rest } = node
  if (!Array.isArray(items)) return items === undefined ? rest : { ...rest, items }
  return { ...rest, prefixItems: items, ...(additionalItems === undefined ? {} : { items: additionalItems }) }
}

/** In draft 4 an exclusive limit is a flag beside the limit. */
function withBounds(node: UnknownObject, from: Dialect): UnknownObject {
  if (from !== 'draft-04') return node
  let result = node
  for (const [limit, flag] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    const { [limit]: value, [flag]: isExclusive, ...rest } = result
    if (typeof isExclusive !== 'boolean') continue
    const bound = own(result, limit) === undefined ? {} : { [isExclusive ? flag : limit]: value }
    result = { ...rest, ...bound }
  }
  return result
}
