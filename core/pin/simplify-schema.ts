/** Writes a schema in one form of those that generators write for the same. */
import type { Inlined } from '../diff/schema/inline-refs.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import {
  type Dialect,
  definitionKeywords,
  isNoiseBound,
  isSince,
  keywords,
  textKeywords,
} from '../schema/keywords.ts'
import { allSchemas, mapSubschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { isDialectUrl } from './added-words.ts'
import { unwrapOne } from './schema-parts.ts'

export const isMember = (list: unknown, value: unknown) =>
  Array.isArray(list) &&
  (typeof value === 'string'
    ? list.includes(value)
    : list.some(each => canonicalJson(each) === canonicalJson(value)))

export interface SchemaForm {
  readonly dialect: Dialect
  /** Texts are about values or alternatives by their positions. */
  readonly isOrdered: boolean
}

/** Returns the schema without references in the one form. Its drafts are compared apart. */
export function simplify(schema: unknown, form: SchemaForm): unknown {
  if (!isObject(schema)) return schema === true ? {} : schema
  const { dialect, isOrdered } = form
  const inner = mapSubschemas(schema, each => simplify(each, form))
  const part = foldNull(foldConstants(openChoice(unwrapOne(renameItems(inner, dialect)))))
  const entries = Object.entries(part).flatMap(([name, value]): [string, unknown][] => {
    if (isObject(value) && Object.keys(value).length === 0 && emptyMeansAbsent.has(name)) return []
    if (Array.isArray(value) && value.length === 0 && name === 'required') return []
    if (isNoiseBound(name, value) || (name === '$schema' && isDialectUrl(value))) return []
    if (name === 'const' && isSince(dialect, 'draft-06') && !Object.hasOwn(part, 'enum'))
      return [['enum', [value]]]
    if (name === 'type' && Array.isArray(value) && value.length === 1) return [[name, value[0]]]
    return [[name, Array.isArray(value) && !isOrdered && sorted.has(name) ? value.toSorted(byText) : value]]
  })
  return Object.fromEntries(entries)
}

const emptyMeansAbsent: ReadonlySet<string> = new Set(['properties', 'additionalProperties', 'items'])
const sorted: ReadonlySet<string> = new Set(['required', 'type', 'enum', 'anyOf', 'oneOf', 'allOf'])

/**
 * Whether a keyword anywhere may have a text for each value or alternative of a list, by its position: an unknown one, or
 * one that has a list or an object in place of a text.
 */
export const hasOrder = (schema: unknown) =>
  allSchemas(schema).some(({ schema: part }) =>
    Object.entries(part).some(([name, value]) => {
      const { value: kind = 'text' } = keywords.get(name) ?? {}
      return (kind === 'text' || kind === 'flag') && (Array.isArray(value) || isObject(value))
    }),
  )

function byText(a: unknown, b: unknown): number {
  const [left, right] = [canonicalJson(a), canonicalJson(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/** Each alternative is compared with all others. */
const maxAlternatives = 100

/** `oneOf` means `anyOf` if no value fits two alternatives. */
function openChoice(part: UnknownObject): UnknownObject {
  const { oneOf, ...rest } = part
  if (!Array.isArray(oneOf) || oneOf.length > maxAlternatives || Object.hasOwn(rest, 'anyOf')) return part
  const isOpen = oneOf.every((each, at) => oneOf.slice(at + 1).every(other => areDisjoint(each, other)))
  return isOpen ? { ...rest, anyOf: oneOf } : part
}

/** Whether no value fits both of two simplified parts; false if that is not plain. */
export function areDisjoint(a: unknown, b: unknown): boolean {
  if (!isObject(a) || !isObject(b)) return false
  const [values, others] = [own(a, 'enum'), own(b, 'enum')]
  if (Array.isArray(values) && Array.isArray(others)) return areApart(values, others)
  const [type, other] = [own(a, 'type'), own(b, 'type')]
  if (typeof type !== 'string' || typeof other !== 'string') return false
  if (type !== other) return !(isMember(numbers, type) && isMember(numbers, other))
  const [properties, otherProperties] = [own(a, 'properties'), own(b, 'properties')]
  if (type !== 'object' || !isObject(properties) || !isObject(otherProperties)) return false
  return Object.keys(properties).some(name => {
    const isRequired = [a, b].every(part => isMember(own(part, 'required'), name))
    const [fixed, otherFixed] = [properties, otherProperties].map(each => {
      const property = own(each, name)
      return isObject(property) ? own(property, 'enum') : undefined
    })
    return isRequired && Array.isArray(fixed) && Array.isArray(otherFixed) && areApart(fixed, otherFixed)
  })
}

const numbers = ['integer', 'number']

function areApart(values: readonly unknown[], others: readonly unknown[]): boolean {
  const known = new Set(others.map(each => canonicalJson(each)))
  return !values.some(each => known.has(canonicalJson(each)))
}

/** `anyOf` of values without texts is an `enum`. */
function foldConstants(part: UnknownObject): UnknownObject {
  const name = Object.hasOwn(part, 'anyOf') ? 'anyOf' : 'oneOf'
  const alternatives = own(part, name)
  if (!Array.isArray(alternatives) || Object.hasOwn(part, 'enum') || Object.hasOwn(part, 'const')) return part
  const values = alternatives.flatMap(each => {
    const names = isObject(each) ? Object.keys(each) : []
    const list = names.length === 1 && isObject(each) ? own(each, 'enum') : undefined
    return Array.isArray(list) ? list : [undefined]
  })
  const isFixed = values.length > 0 && values.every(value => value !== undefined)
  // The same value twice fits no `oneOf`.
  if (!isFixed || new Set(values.map(canonicalJson)).size < values.length) return part
  const { [name]: _, ...rest } = part
  return { ...rest, enum: values }
}

/** `anyOf` with `null` is a list of types, or an `enum` with null. */
function foldNull(part: UnknownObject): UnknownObject {
  const alternatives = own(part, 'anyOf')
  if (!Array.isArray(alternatives) || alternatives.length !== 2) return part
  const isNull = (each: unknown) => canonicalJson(each) === '{"type":"null"}'
  const other: unknown = alternatives.find(each => !isNull(each))
  if (!isObject(other) || !alternatives.some(isNull)) return part
  const { anyOf: _, ...outer } = part
  const type = own(other, 'type')
  const types = Array.isArray(type) ? type : [type]
  const isTyped = typeof type === 'string' || Array.isArray(type)
  const isFree = Object.keys(other).every(name => name === 'type' || name === 'enum' || typed.has(name))
  const isApart = Object.keys(outer).every(name => !Object.hasOwn(other, name) && textual.has(name))
  if (!isTyped || !isFree || !isApart || types.includes('null')) return part
  const values = own(other, 'enum')
  return {
    ...outer,
    ...other,
    type: [...types, 'null'].toSorted(byText),
    ...(Array.isArray(values) && { enum: [...values, null] }),
  }
}

export const textual: ReadonlySet<string> = new Set([...textKeywords, 'default'])
/** They ignore null. */
const typed: ReadonlySet<string> = new Set(
  [...keywords].flatMap(([name, { type }]) => (type === undefined ? [] : [name])),
)

/** Returns a part with the keywords of 2020-12 for a list of items. */
function renameItems(part: UnknownObject, dialect: Dialect): UnknownObject {
  const { items, additionalItems, ...rest } = part
  if (isSince(dialect, '2020-12') || !Array.isArray(items) || Object.hasOwn(rest, 'prefixItems')) return part
  return { ...rest, prefixItems: items, ...(additionalItems !== undefined && { items: additionalItems }) }
}

/**
 * Returns the definitions that no validator reads: a model finds them by a name in a text or in an unknown keyword
 * (`extends`, `discriminator`). If a keyword besides `$ref` refers to one, they are all definitions.
 */
export function listOtherDefinitions(
  schema: JsonSchema,
  { root, definitions, reached }: Inlined,
): UnknownObject {
  const all = [root, ...Object.values(definitions)]
  const parts = all.flatMap(each => allSchemas(each)).map(each => each.schema)
  const references = parts.filter(({ $ref }) => typeof $ref === 'string')
  const isAll = canonicalJson(all).split('"#').length - 1 > references.length
  const found = allSchemas(schema, Number.POSITIVE_INFINITY).flatMap(({ schema: part }) =>
    [...definitionKeywords].flatMap((keyword): (readonly [string, unknown])[] => {
      const named = own(part, keyword)
      if (named === undefined) return []
      return isObject(named) ? Object.entries(named) : [[keyword, named]]
    }),
  )
  const others = found.filter(([, each]) => isAll || !isObject(each) || !reached.has(each))
  return { allOf: others.map(([name, each]) => ({ $defs: { [name]: each } })).toSorted(byText) }
}
