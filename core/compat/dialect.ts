/** The drafts of JSON Schema that are understood, oldest first. */
import { isObject, own } from './values.ts'

export const dialects = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const

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

/** Keywords whose value is one schema, a list of schemas, or schemas by name. */
const single = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]
const listed = ['allOf', 'anyOf', 'items', 'oneOf', 'prefixItems']
const named = ['$defs', 'definitions', 'dependencies', 'dependentSchemas', 'patternProperties', 'properties']

export interface Subschema {
  readonly schema: unknown
  /** Keys from the schema to its part. */
  readonly path: readonly string[]
}

/** The schemas that stand directly inside a schema. */
export function subschemas(schema: { readonly [key: string]: unknown }): Subschema[] {
  const result: Subschema[] = []
  for (const keyword of single) {
    const value = own(schema, keyword)
    if (isObject(value) || typeof value === 'boolean') result.push({ schema: value, path: [keyword] })
  }
  for (const keyword of listed) {
    const value = own(schema, keyword)
    if (Array.isArray(value))
      value.forEach((item, index) => {
        result.push({ schema: item, path: [keyword, String(index)] })
      })
  }
  for (const keyword of named) {
    const value = own(schema, keyword)
    if (!isObject(value)) continue
    for (const key of Object.keys(value))
      if (!Array.isArray(value[key])) result.push({ schema: value[key], path: [keyword, key] })
  }
  return result
}
