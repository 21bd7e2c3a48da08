/** The branches of an `anyOf` or `oneOf`: decides which are real choices, and names them. */

import { isObject, type Json } from '../json/json.ts'
import { isSchema, type SchemaObject } from '../schema/schema.ts'
import { schemaWords } from '../schema/type-words.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { type FlatSchema, flattenSchema, type UnionOf, withoutUnion } from './flatten-schema.ts'
import type { EnumOption, KeyDemand, UnionBranch } from './form-node.ts'

/** Further branches are not offered; the value can still be written as JSON. */
const maxBranches = 300

/** Returns whether a member allows only `null`. */
export function isNullSchema(schema: JsonSchema): boolean {
  if (!isObject(schema)) return false
  if (schema.type === 'null') return true
  if (Object.hasOwn(schema, 'const')) return schema.const === null
  return Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null
}

/** Flattens unions inside unions to one list: `anyOf [A, anyOf [B, C]]` → A, B, C. */
export function spreadMembers(members: readonly JsonSchema[], keyword: UnionOf['keyword']): JsonSchema[] {
  const spread: JsonSchema[] = []
  const queue = [...members]
  for (let taken = 0; queue.length > 0 && taken < maxBranches * 4 && spread.length < maxBranches; taken++) {
    const member = queue.shift() as JsonSchema
    const inner = isObject(member) && Object.keys(member).length === 1 ? member[keyword] : undefined
    if (Array.isArray(inner)) queue.unshift(...(inner as JsonSchema[]))
    else spread.push(member)
  }
  return spread
}

const optionKeywords = new Set([
  'const',
  'enum',
  'type',
  'title',
  'description',
  'default',
  'examples',
  'deprecated',
  '$comment',
])

/** Returns members that are only fixed values as options of one list; `null` if one is more than that. */
export function asOptions(members: readonly JsonSchema[]): EnumOption[] | null {
  const options: EnumOption[] = []
  for (const member of members) {
    if (!isObject(member) || !Object.keys(member).every(keyword => optionKeywords.has(keyword))) return null
    const described = typeof member.description === 'string' ? { description: member.description } : {}
    if (Object.hasOwn(member, 'const')) {
      const value = member.const as Json
      const label = typeof member.title === 'string' ? member.title : optionLabel(value)
      options.push({ value, label, ...described })
    } else if (Array.isArray(member.enum)) {
      for (const value of member.enum as Json[])
        options.push({ value, label: optionLabel(value), ...described })
    } else return null
  }
  return options
}

/** Returns a string as it is, and any other value as JSON. */
export function optionLabel(value: Json): string {
  return typeof value === 'string' ? (value === '' ? '""' : value) : JSON.stringify(value)
}

/** Keywords that require keys but describe none of them. */
const demanding = new Set(['required', 'not', 'title', 'description', '$comment', 'type', 'minProperties'])

/**
 * `anyOf [{required:[a]}, {required:[b]}]` next to properties only requires keys; it does not offer different shapes.
 */
export function asKeyDemand(union: UnionOf): KeyDemand | null {
  const alternatives: string[][] = []
  for (const member of union.members) {
    if (!isObject(member) || !Object.keys(member).every(keyword => demanding.has(keyword))) return null
    if (member.type !== undefined && member.type !== 'object') return null
    const keys = Array.isArray(member.required) ? member.required : []
    alternatives.push(keys.filter(key => typeof key === 'string'))
  }
  return alternatives.some(keys => keys.length > 0) ? { keyword: union.keyword, alternatives } : null
}

/** Returns each member joined with the keywords next to the union, under its own name. */
export function buildBranches(
  flat: FlatSchema,
  union: UnionOf,
  members: readonly JsonSchema[],
  root: JsonSchema,
): UnionBranch[] {
  const siblings = withoutUnion(flat, union)
  const flats = members.map(member => flattenSchema(member, root))
  const constants = flats.map(member => listConstants(member.keywords, root))
  const sharedKeys = keysOfAll(flats.map(({ keywords }) => keywords))
  const names = members.map((member, index) => {
    const keywords = flats[index]?.keywords ?? {}
    return (
      toNonBlankText(keywords.title) ??
      discriminatorName(constants, index) ??
      referenceName(member) ??
      shapeName(keywords, flats[index], root, sharedKeys)
    )
  })
  return members.map((member, index) => ({
    label: uniqueName(names, index),
    schema: Object.keys(siblings).length === 0 ? member : { allOf: [member, siblings] },
    constants: constants[index] ?? [],
  }))
}

function listConstants(keywords: SchemaObject, root: JsonSchema): [string, Json][] {
  if (!isObject(keywords.properties)) return []
  return Object.entries(keywords.properties)
    .slice(0, 200)
    .flatMap(([name, property]): [string, Json][] => {
      if (!isObject(property)) return []
      const own = typeof property.$ref === 'string' ? flattenSchema(property, root).keywords : property
      if (Object.hasOwn(own, 'const')) return [[name, own.const as Json]]
      return Array.isArray(own.enum) && own.enum.length === 1 ? [[name, own.enum[0] as Json]] : []
    })
}

/** Returns the value of a key that is fixed in every branch and different in this one. */
function discriminatorName(all: readonly (readonly [string, Json])[][], index: number): string | undefined {
  for (const [key, value] of all[index] ?? []) {
    const values = all.map(constants => constants.find(([name]) => name === key)?.[1])
    if (values.filter(other => other === value).length === 1) return optionLabel(value)
  }
  return undefined
}

function referenceName(member: JsonSchema): string | undefined {
  if (!isObject(member) || typeof member.$ref !== 'string') return undefined
  return member.$ref.split(/[/#]/).at(-1) || undefined
}

/** Returns the keys that all of several object schemas have. */
function keysOfAll(objects: readonly SchemaObject[]): ReadonlySet<string> {
  const [first = [], ...rest] = objects.map(({ properties }) =>
    Object.keys(isObject(properties) ? properties : {}),
  )
  return new Set(first.filter(key => rest.every(keys => keys.includes(key))))
}

/** @param shared keys that do not distinguish branches, because all have them */
function shapeName(
  keywords: SchemaObject,
  flat: FlatSchema | undefined,
  root: JsonSchema,
  shared: ReadonlySet<string>,
): string {
  const words = schemaWords(keywords, root)
  if (words === 'object') {
    const required = (Array.isArray(keywords.required) ? keywords.required : []).filter(
      name => typeof name === 'string',
    )
    const known = isObject(keywords.properties) ? Object.keys(keywords.properties) : []
    const own = [...required, ...known].filter(name => !shared.has(name))
    const telling = [own, required, known].find(names => names.length > 0) ?? []
    return telling.length === 0 ? words : `with ${[...new Set(telling)].slice(0, 3).join(', ')}`
  }
  if (words === 'list of object' && isSchema(keywords.items)) {
    const item = flattenSchema(keywords.items, root)
    return `list ${shapeName(item.keywords, item, root, new Set())}`
  }
  return words === 'anything' && flat && flat.unions.length > 0 ? 'a further choice' : words
}

function uniqueName(names: readonly string[], index: number): string {
  const name = names[index] ?? ''
  const repeats = names.filter(other => other === name).length
  return repeats > 1 ? `${name} (${names.slice(0, index + 1).filter(other => other === name).length})` : name
}

function toNonBlankText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined
}
