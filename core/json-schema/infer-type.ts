/** The JSON types that a level of a schema speaks of. */
import type { SchemaObject } from './resolve-ref.ts'

export const jsonTypeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
export type TypeName = (typeof jsonTypeNames)[number]

/** Keywords that mean nothing except for one type. */
const telling: Readonly<Record<string, TypeName>> = {
  properties: 'object',
  required: 'object',
  additionalProperties: 'object',
  patternProperties: 'object',
  propertyNames: 'object',
  minProperties: 'object',
  maxProperties: 'object',
  items: 'array',
  prefixItems: 'array',
  minItems: 'array',
  maxItems: 'array',
  uniqueItems: 'array',
  contains: 'array',
  pattern: 'string',
  minLength: 'string',
  maxLength: 'string',
  contentEncoding: 'string',
  contentMediaType: 'string',
  format: 'string',
  minimum: 'number',
  maximum: 'number',
  exclusiveMinimum: 'number',
  exclusiveMaximum: 'number',
  multipleOf: 'number',
}

function isTypeName(value: unknown): value is TypeName {
  return jsonTypeNames.includes(value as TypeName)
}

export interface StatedTypes {
  /** Without repeats; `integer` is left out beside `number`. Empty: any type. */
  readonly types: readonly TypeName[]
  /** Names in `type` that JSON Schema does not know. */
  readonly unknown: readonly string[]
}

/** The types stated by `type`, or told by keywords that only one type has. */
export function typesOf(schema: SchemaObject): StatedTypes {
  const listed: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const stated = listed.filter(isTypeName)
  const unknown = listed.filter((name): name is string => typeof name === 'string' && !isTypeName(name))
  if (stated.length > 0 || unknown.length > 0) return { types: withoutRepeats(stated), unknown }
  const told = Object.keys(schema).flatMap(keyword =>
    Object.hasOwn(telling, keyword) ? (telling[keyword] ?? []) : [],
  )
  const types = withoutRepeats(told)
  return { types: types.length === 1 ? types : [], unknown }
}

function withoutRepeats(types: readonly TypeName[]): TypeName[] {
  const unique = [...new Set(types)]
  return unique.filter(type => type !== 'integer' || !unique.includes('number'))
}
