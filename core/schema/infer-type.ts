/** The names of types in JSON Schema. */
import { keywords } from './keywords.ts'
import type { SchemaObject } from './schema.ts'

export const jsonTypeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
export type TypeName = (typeof jsonTypeNames)[number]

function isTypeName(value: unknown): value is TypeName {
  return jsonTypeNames.includes(value as TypeName)
}

export interface StatedTypes {
  /** Without repeats; `number` includes `integer`. An empty list allows every type. */
  readonly types: readonly TypeName[]
  /** Names in `type` that JSON Schema does not know. */
  readonly unknown: readonly string[]
}

/** Returns the types that `type` states, or the type that the keywords imply. */
export function inferTypes(schema: SchemaObject): StatedTypes {
  const listed: unknown[] = Array.isArray(schema.type) ? schema.type : [schema.type]
  const stated = listed.filter(isTypeName)
  const unknown = listed.filter((name): name is string => typeof name === 'string' && !isTypeName(name))
  if (stated.length > 0 || unknown.length > 0) return { types: withoutRepeats(stated), unknown }
  const types = withoutRepeats(Object.keys(schema).flatMap(keyword => keywords.get(keyword)?.type ?? []))
  return { types: types.length === 1 ? types : [], unknown }
}

function withoutRepeats(types: readonly TypeName[]): TypeName[] {
  const unique = [...new Set(types)]
  return unique.filter(type => type !== 'integer' || !unique.includes('number'))
}
