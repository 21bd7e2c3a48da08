/**
 * Decides the JSON Schema draft of a schema. All other code asks this file, so that every part reads the schema the
 * same way.
 */
import { isObject, own } from '../json/json.ts'
import { type Dialect, dialects } from './keywords.ts'
import type { SchemaObject } from './schema.ts'
import { allSchemas } from './walk-schema.ts'

/** The names of the dialects in @cfworker/json-schema, the second validator (docs/decisions/067-second-validator.md). */
export const secondDrafts = {
  'draft-04': '4',
  'draft-06': '7',
  'draft-07': '7',
  '2019-09': '2019-09',
  '2020-12': '2020-12',
} as const satisfies Record<Dialect, string>

/**
 * Returns the dialect that `$schema` names; undefined if it names no known one. OpenAPI 3.1 is 2020-12; 3.0 is based on
 * the draft with boolean exclusive limits (its `nullable`: manifest/tool-entry.ts). Source:
 * https://spec.openapis.org/oas/v3.0.4#schema-object, https://spec.openapis.org/oas/v3.1.1#schema-object
 */
export function statedDialect(schema: unknown): Dialect | undefined {
  const uri = isObject(schema) ? own(schema, '$schema') : undefined
  if (typeof uri !== 'string') return undefined
  const [, draft] = /draft-0?([467])\b/.exec(uri) ?? []
  if (draft !== undefined) return `draft-0${draft}` as Dialect
  const openApi = readOpenApiVersion(uri)
  if (openApi !== undefined) return openApi === '3.0' ? 'draft-04' : '2020-12'
  return dialects.find(dialect => uri.includes(dialect))
}

/** Returns whether `$schema` names OpenAPI 3.0. */
export function isOpenApi30(schema: SchemaObject): boolean {
  const uri = own(schema, '$schema')
  return typeof uri === 'string' && readOpenApiVersion(uri) === '3.0'
}

function readOpenApiVersion(uri: string): string | undefined {
  return /^https:\/\/spec\.openapis\.org\/oas\/(3\.[01])\//.exec(uri)?.[1]
}

/** Keywords that only 2020-12 has, and those that 2019-09 added. */
const newest = ['prefixItems', '$dynamicRef']
const newer = ['$defs', 'dependentRequired', 'dependentSchemas', 'unevaluatedItems', 'unevaluatedProperties']

/**
 * Returns the dialect that `$schema` states. Without it, the dialect is 2020-12, as MCP says, unless the schema uses a
 * form that 2020-12 removed: then it is the newest draft that has this form. Only draft 4 has `exclusiveMinimum: true`;
 * `items` could be a list up to 2019-09. Reads at most 20,000 schemas.
 */
export function detectDialect(schema: unknown): Dialect {
  const stated = statedDialect(schema)
  if (stated !== undefined) return stated
  let hasFlags = false
  let hasLists = false
  let isNewer = false
  for (const { schema: one } of allSchemas(schema)) {
    if (newest.some(keyword => Object.hasOwn(one, keyword))) return '2020-12'
    isNewer ||= newer.some(keyword => Object.hasOwn(one, keyword))
    hasLists ||= Array.isArray(own(one, 'items'))
    hasFlags ||= ['exclusiveMinimum', 'exclusiveMaximum'].some(name => typeof own(one, name) === 'boolean')
  }
  if (isNewer) return hasLists && !hasFlags ? '2019-09' : '2020-12'
  if (hasFlags) return 'draft-04'
  return hasLists ? 'draft-07' : '2020-12'
}

const uris: Readonly<Record<Dialect, string>> = {
  'draft-04': 'http://json-schema.org/draft-04/schema#',
  'draft-06': 'http://json-schema.org/draft-06/schema#',
  'draft-07': 'http://json-schema.org/draft-07/schema#',
  '2019-09': 'https://json-schema.org/draft/2019-09/schema',
  '2020-12': 'https://json-schema.org/draft/2020-12/schema',
}

/** Returns the schema with `$schema`, so that a part or a copy of it is read in the same dialect. */
export function stateDialect(schema: SchemaObject, dialect: Dialect): SchemaObject {
  return statedDialect(schema) === undefined ? { ...schema, $schema: uris[dialect] } : schema
}
