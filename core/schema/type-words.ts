/** Describes a schema's type in two or three plain words, to name a branch or a wrong value. */

import { isObject, type Json, jsonType } from '../json/json.ts'
import { listWords } from '../text/wording.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { inferTypes } from './infer-type.ts'
import type { SchemaObject } from './schema.ts'
import { resolveRef } from './schema-document.ts'

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
