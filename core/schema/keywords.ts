/**
 * All keywords of JSON Schema, draft 4 to 2020-12: the value that each must have, the schemas in it, and the type of
 * value that it applies to. Walks, validators, forms, comparison and lint derive their lists from this table. Source:
 * the meta-schemas of the drafts (https://json-schema.org/specification-links).
 */
import { type JsonType, own, type UnknownObject } from '../json/json.ts'

/** The supported drafts, oldest first. */
export const dialects = ['draft-04', 'draft-06', 'draft-07', '2019-09', '2020-12'] as const

export type Dialect = (typeof dialects)[number]

/** Returns whether the dialect is `first` or a later one. */
export function isSince(dialect: Dialect, first: Dialect): boolean {
  return dialects.indexOf(dialect) >= dialects.indexOf(first)
}

/** The kinds of values that keywords have. The first five contain schemas. */
type KeywordValue =
  | 'schema'
  | 'schema list'
  /** `items` was a list of schemas before 2020-12. */
  | 'schema or list'
  /** A schema for each name. */
  | 'schema map'
  /** A schema or a list of names for each name (`dependencies`). */
  | 'schema or names map'
  | 'names map'
  | 'names'
  | 'count'
  | 'number'
  | 'number above 0'
  /** A flag in draft 4. */
  | 'number or flag'
  | 'flag'
  | 'text'
  | 'reference'
  | 'pattern'
  | 'type'
  | 'list'
  | 'any'

/** The purpose of a keyword. `definitions` contain schemas for references and do not validate anything themselves. */
type KeywordRole = 'validation' | 'definitions' | 'identity' | 'text' | 'annotation'

interface KeywordDefinition {
  readonly value: KeywordValue
  readonly role: KeywordRole
  /** The only type of value that it applies to; other values pass. */
  readonly type?: JsonType
  /** The first draft that has it, if that is not draft 4. */
  readonly since?: Dialect
}

const validation = (value: KeywordValue, type?: JsonType, since?: Dialect): KeywordDefinition => ({
  value,
  role: 'validation',
  ...(type && { type }),
  ...(since && { since }),
})
const other = (role: KeywordRole, value: KeywordValue, type?: JsonType): KeywordDefinition => ({
  value,
  role,
  ...(type && { type }),
})

export const keywords: ReadonlyMap<string, KeywordDefinition> = new Map(
  Object.entries({
    $schema: other('identity', 'text'),
    $id: other('identity', 'text'),
    id: other('identity', 'text'),
    $anchor: other('identity', 'text'),
    $dynamicAnchor: other('identity', 'text'),
    $recursiveAnchor: other('identity', 'flag'),
    $defs: { ...other('definitions', 'schema map'), since: '2019-09' },
    definitions: other('definitions', 'schema map'),
    $ref: validation('reference'),
    $dynamicRef: validation('reference', undefined, '2020-12'),
    $recursiveRef: validation('reference', undefined, '2019-09'),

    type: validation('type'),
    enum: validation('list'),
    const: validation('any', undefined, 'draft-06'),
    allOf: validation('schema list'),
    anyOf: validation('schema list'),
    oneOf: validation('schema list'),
    not: validation('schema'),
    if: validation('schema', undefined, 'draft-07'),
    // biome-ignore lint/suspicious/noThenProperty: the JSON Schema keyword
    then: validation('schema', undefined, 'draft-07'),
    else: validation('schema', undefined, 'draft-07'),

    multipleOf: validation('number above 0', 'number'),
    minimum: validation('number', 'number'),
    maximum: validation('number', 'number'),
    exclusiveMinimum: validation('number or flag', 'number'),
    exclusiveMaximum: validation('number or flag', 'number'),

    minLength: validation('count', 'string'),
    maxLength: validation('count', 'string'),
    pattern: validation('pattern', 'string'),
    format: validation('text', 'string'),
    contentEncoding: other('annotation', 'text', 'string'),
    contentMediaType: other('annotation', 'text', 'string'),
    contentSchema: other('annotation', 'schema', 'string'),

    items: validation('schema or list', 'array'),
    prefixItems: validation('schema list', 'array', '2020-12'),
    additionalItems: validation('schema', 'array'),
    contains: validation('schema', 'array', 'draft-06'),
    minContains: validation('count', 'array', '2019-09'),
    maxContains: validation('count', 'array', '2019-09'),
    minItems: validation('count', 'array'),
    maxItems: validation('count', 'array'),
    uniqueItems: validation('flag', 'array'),
    unevaluatedItems: validation('schema', 'array', '2019-09'),

    properties: validation('schema map', 'object'),
    patternProperties: validation('schema map', 'object'),
    additionalProperties: validation('schema', 'object'),
    propertyNames: validation('schema', 'object', 'draft-06'),
    required: validation('names', 'object'),
    minProperties: validation('count', 'object'),
    maxProperties: validation('count', 'object'),
    dependencies: validation('schema or names map', 'object'),
    dependentRequired: validation('names map', 'object', '2019-09'),
    dependentSchemas: validation('schema map', 'object', '2019-09'),
    unevaluatedProperties: validation('schema', 'object', '2019-09'),

    title: other('text', 'text'),
    description: other('text', 'text'),
    default: other('annotation', 'any'),
    examples: other('annotation', 'list'),
    deprecated: other('annotation', 'flag'),
    readOnly: other('annotation', 'flag'),
    writeOnly: other('annotation', 'flag'),
    $comment: other('annotation', 'text'),
  } satisfies Record<string, KeywordDefinition>),
)

function namesWith(role: KeywordRole): ReadonlySet<string> {
  return new Set([...keywords].flatMap(([name, keyword]) => (keyword.role === role ? [name] : [])))
}

export const validationKeywords = namesWith('validation')
export const definitionKeywords = namesWith('definitions')
/** Keywords with text for people, which no validator reads. */
export const textKeywords = namesWith('text')

/** The largest integer that JavaScript represents exactly. */
const safe = Number.MAX_SAFE_INTEGER

/**
 * Returns whether only a generator added this bound. zod adds the limits of safe integers to every `z.int()`. They say
 * nothing about the tool, so labels hide them and diffs fold them.
 */
export function isNoiseBound(keyword: string, value: unknown): boolean {
  return (keyword === 'maximum' && value === safe) || (keyword === 'minimum' && value === -safe)
}

/** Returns a bound that the author wrote; undefined for a generator's 2^53. */
export function writtenBound(schema: UnknownObject, keyword: string): number | undefined {
  const value = own(schema, keyword)
  return typeof value === 'number' && !isNoiseBound(keyword, value) ? value : undefined
}
