/** Describes a schema's type in two or three plain words, to name a branch or a wrong value. */

import { isObject, type Json, jsonType } from '../json/json.ts'
import { listWords } from '../text/wording.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { keywords } from './keywords.ts'
import type { SchemaObject } from './schema.ts'
import { resolveRef } from './schema-document.ts'

/** The names of types in JSON Schema. */
export const jsonTypeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const
type TypeName = (typeof jsonTypeNames)[number]

function isTypeName(value: unknown): value is TypeName {
  return jsonTypeNames.includes(value as TypeName)
}

interface StatedTypes {
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

const words: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'integer',
  boolean: 'true or false',
  null: 'null',
  array: 'list',
  object: 'object',
}

function typeWord(type: string): string {
  return Object.hasOwn(words, type) ? (words[type] ?? type) : type
}

/** Returns `a number`, `text`, `an integer`, `text or null`. */
export function typePhrase(types: readonly string[]): string {
  const names = types.map(typeWord)
  return names.length === 1 ? withArticle(names[0] ?? '') : listWords(names)
}

export function withArticle(word: string): string {
  return /^(?:text|null|true|false|true or false)$/.test(word)
    ? word
    : `${/^[aeio]/.test(word) ? 'an' : 'a'} ${word}`
}

/** Returns the type of a value in a word: `text`, `number`, `list` … */
export function valueWord(value: Json): string {
  return value === true || value === false ? String(value) : typeWord(jsonType(value))
}

/** Returns `text`, `text (email)`, `list of text`, `object`, `anything`. Reads one level. */
export function schemaWords(schema: JsonSchema, root: JsonSchema): string {
  if (!isObject(schema)) return schema ? 'anything' : 'nothing'
  const own = followRef(schema, root)
  if (own.const !== undefined) return JSON.stringify(own.const)
  if (Array.isArray(own.enum))
    return own.enum.length <= 3
      ? own.enum.map(value => JSON.stringify(value)).join(' | ')
      : `one of ${own.enum.length}`
  const { types } = inferTypes(own)
  if (types.length === 0) return 'anything'
  return types.map(type => withDetail(type, own, root)).join(' or ')
}

function withDetail(type: string, schema: SchemaObject, root: JsonSchema): string {
  if (type === 'string' && typeof schema.format === 'string') return `text (${schema.format})`
  if (type !== 'array' || !isObject(schema.items)) return typeWord(type)
  const { types } = inferTypes(followRef(schema.items, root))
  return types.length === 1 ? `list of ${typeWord(types[0] ?? '')}` : 'list'
}

function followRef(schema: SchemaObject, root: JsonSchema): SchemaObject {
  const target = typeof schema.$ref === 'string' ? resolveRef(root, schema.$ref) : undefined
  return isObject(target) ? { ...target, ...schema } : schema
}
