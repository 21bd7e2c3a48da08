/**
 * Writes parts of a schema in one form, with their texts: validators ignore which of several conditions or alternatives a
 * text is in, so equal values do not prove that each text is still about the same part.
 */
import { canonicalJson } from '../json/equality.ts'
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { keywords, textKeywords } from '../schema/keywords.ts'
import { isSchema } from '../schema/schema.ts'
import { resolveRef } from '../schema/schema-document.ts'
import { allSchemas, mapSubschemas, subschemas } from '../schema/walk-schema.ts'
import type { JsonSchema } from '../tool/tool.ts'

/** Our diff compares a `format`, but not inside conditions. */
export function listTexts(part: UnknownObject, isApart: boolean): readonly string[] {
  return [...textKeywords, ...(isApart ? ['format'] : [])].flatMap(name => {
    const text = own(part, name)
    if (text === undefined) return []
    return [typeof text === 'string' ? text : canonicalJson(text)]
  })
}

/** Returns the members that no validator reads, without the texts: unknown ones, defaults, examples. */
export const listNotes = (part: UnknownObject) =>
  Object.entries(part).filter(([name]) => {
    const role = keywords.get(name)?.role ?? 'annotation'
    return role === 'annotation' && name !== 'deprecated'
  })

const hasTexts = (schema: unknown) =>
  allSchemas(schema).some(({ schema: part }) => listTexts(part, true).length + listNotes(part).length > 0)

const unordered: ReadonlySet<string> = new Set(['enum', 'required', 'type'])

/** Returns the schema without its texts and notes, which are added to `texts`. */
export function splitTexts(schema: unknown, path: string, texts: string[]): unknown {
  if (!isObject(schema)) return schema
  const inner = mapSubschemas(schema, (part, keyword) => splitTexts(part, `${path}/${keyword}`, texts))
  const notes = new Set([...textKeywords, ...listNotes(schema).map(([name]) => name)])
  return Object.fromEntries(
    Object.entries(inner).flatMap(([name, value]) => {
      if (notes.has(name)) texts.push(`${path} ${name}: ${canonicalJson(value)}`)
      const isList = unordered.has(name) && Array.isArray(value)
      return notes.has(name) ? [] : [[name, isList ? value.map(canonicalJson).toSorted() : value]]
    }),
  )
}

/** Keywords that our diff compares only as a whole; those of one group have a meaning together. */
const groups: readonly (readonly string[])[] = [
  ['if', 'then', 'else'],
  ['contains', 'minContains', 'maxContains'],
  ['dependentSchemas', 'dependencies'],
  ...['not', 'propertyNames', 'patternProperties', 'unevaluatedItems', 'unevaluatedProperties'].map(name => [
    name,
  ]),
]

/** Returns each condition of a part, and the like, that has texts: equal ones say the same about the same values. */
export function listConditions(part: UnknownObject): readonly string[] {
  return groups.flatMap(names => {
    const given = names.filter(name => Object.hasOwn(part, name))
    const condition = Object.fromEntries(given.map(name => [name, part[name]]))
    return given.length > 0 && hasTexts(condition) ? [canonicalJson(arrange(condition))] : []
  })
}

/** Returns a condition of `listConditions` without its texts. */
export const withoutTexts = (condition: string) => canonicalJson(splitTexts(JSON.parse(condition), '', []))

/** Returns whether the inner parts of two parts have the same texts about the same values, or have none in one of them. */
export function areArrangedAlike(before: unknown, after: unknown): boolean {
  const isBare = (part: unknown) =>
    !(isObject(part) && subschemas(part).some(({ schema }) => hasTexts(schema)))
  return isBare(before) || isBare(after) || canonicalJson(arrange(before)) === canonicalJson(arrange(after))
}

/** Returns the schema in an order of its own, without differences that only a generator makes. */
function arrange(schema: unknown): unknown {
  if (!isObject(schema)) return schema === true ? {} : schema
  const inner = unwrapOne(mapSubschemas(schema, arrange))
  const { oneOf, ...rest } = inner
  const named = oneOf === undefined || Object.hasOwn(rest, 'anyOf') ? inner : { ...rest, anyOf: oneOf }
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => {
      const isSorted = (unordered.has(name) || /^(?:all|any|one)Of$/.test(name)) && Array.isArray(value)
      return [name, isSorted ? value.toSorted(byText) : value]
    }),
  )
}

function byText(a: unknown, b: unknown): number {
  const [left, right] = [canonicalJson(a), canonicalJson(b)]
  return left < right ? -1 : left > right ? 1 : 0
}

/**
 * Returns the schema as our diff compares it: without each `allOf`, `anyOf` or `oneOf` of one part, which only a generator
 * writes; and with each text of a definition, also if the reference to it has one.
 *
 * @param root the document of its references
 */
export function unwrap(schema: JsonSchema, root: JsonSchema = schema): JsonSchema {
  if (!isObject(schema)) return schema
  const inner = mapSubschemas(schema, part => (isSchema(part) ? unwrap(part, root) : part))
  return hidesTexts(inner, root) ? withPartOfReference(inner) : unwrapOne(inner)
}

function unwrapOne(schema: UnknownObject): UnknownObject {
  const { allOf, anyOf, oneOf, ...texts } = schema
  const lists = [allOf, anyOf, oneOf].filter(list => list !== undefined)
  const [list] = lists
  const part: unknown = Array.isArray(list) && list.length === 1 && lists.length === 1 ? list[0] : undefined
  if (!isObject(part)) return schema
  // Next to a reference, or next to what else the part says, a keyword may have another meaning.
  const isPlain = Object.keys(texts).every(name => textKeywords.has(name) && !Object.hasOwn(part, name))
  return isPlain && !Object.keys(part).some(name => name.startsWith('$') || name === 'id')
    ? { ...part, ...texts }
    : schema
}

/** References to references that are followed. */
const maxReferences = 20

/** Whether a text next to a reference takes the place of one of its definition. */
function hidesTexts(schema: UnknownObject, root: JsonSchema): boolean {
  const own = Object.keys(schema).filter(name => textKeywords.has(name) || name === 'default')
  if (own.length === 0 || own.length < Object.keys(schema).length - 1) return false
  let at: unknown = schema
  for (let count = 0; count < maxReferences; count++) {
    at = isObject(at) && typeof at.$ref === 'string' ? resolveRef(root, at.$ref) : undefined
    if (!isObject(at)) return false
    const target = at
    if (own.some(name => Object.hasOwn(target, name))) return true
  }
  return true
}

const withPartOfReference = ({ $ref, ...texts }: UnknownObject): UnknownObject => ({
  ...texts,
  allOf: [{ $ref }],
})
