/** The drafts of JSON Schema that are understood, oldest first. */
import { isObject, own, type UnknownObject } from '../../json/json.ts'

const dialects = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const

export type Dialect = (typeof dialects)[number]

export function since(dialect: Dialect, first: Dialect): boolean {
  return dialects.indexOf(dialect) >= dialects.indexOf(first)
}

/** The dialect that a schema names in `$schema`; undefined when it names none that we know. */
export function namedDialect(schema: unknown): Dialect | undefined {
  const uri = isObject(schema) ? own(schema, '$schema') : undefined
  if (typeof uri !== 'string') return undefined
  return dialects.find(dialect => uri.includes(dialect))
}

/** How a keyword holds schemas: one, a list of them, or one for each name. `items` was a list once. */
const holders: ReadonlyMap<string, 'one' | 'list' | 'one or list' | 'named'> = new Map([
  ['additionalItems', 'one'],
  ['additionalProperties', 'one'],
  ['contains', 'one'],
  ['contentSchema', 'one'],
  ['else', 'one'],
  ['if', 'one'],
  ['not', 'one'],
  ['propertyNames', 'one'],
  ['then', 'one'],
  ['unevaluatedItems', 'one'],
  ['unevaluatedProperties', 'one'],
  ['items', 'one or list'],
  ['allOf', 'list'],
  ['anyOf', 'list'],
  ['oneOf', 'list'],
  ['prefixItems', 'list'],
  ['$defs', 'named'],
  ['definitions', 'named'],
  ['dependencies', 'named'],
  ['dependentSchemas', 'named'],
  ['patternProperties', 'named'],
  ['properties', 'named'],
])

export interface Subschema {
  readonly schema: unknown
  /** Keys from the schema to its part. */
  readonly path: readonly string[]
}

/** The schemas that stand directly inside a schema. */
export function subschemas(schema: UnknownObject): Subschema[] {
  const result: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const holder = holders.get(keyword)
    if (!holder) continue
    const value = schema[keyword]
    if (Array.isArray(value)) {
      if (holder !== 'one' && holder !== 'named')
        for (const [index, item] of value.entries())
          result.push({ schema: item, path: [keyword, `${index}`] })
    } else if (holder !== 'named') result.push({ schema: value, path: [keyword] })
    else if (isObject(value))
      for (const key of Object.keys(value))
        if (!Array.isArray(value[key])) result.push({ schema: value[key], path: [keyword, key] })
  }
  return result
}
