/** Converts schemas of OpenAPI 3.0, and Gemini's subset of it, into JSON Schema. */
import { isObject, own, type UnknownObject } from '../json/json.ts'
import { isOpenApi30 } from '../schema/dialect.ts'
import type { SchemaObject } from '../schema/schema.ts'
import { mapSubschemas } from '../schema/walk-schema.ts'

/**
 * Returns the schema with `nullable: true` written as a type if its `$schema` says OpenAPI 3.0. Any other schema stays
 * unchanged, because `nullable` has no meaning there. `nullable` counts only together with `type`, and adds nothing to
 * an `enum` (https://spec.openapis.org/oas/v3.0.4#schema-object). Recursive: the caller limits the depth.
 */
export function withNullTypes(schema: SchemaObject): SchemaObject {
  return isOpenApi30(schema) ? addNullTypes(schema) : schema
}

function addNullTypes(schema: SchemaObject): SchemaObject {
  const inner = mapSubschemas(schema, part => (isObject(part) ? addNullTypes(part) : part))
  const type = own(inner, 'type')
  if (own(inner, 'nullable') !== true || typeof type !== 'string') return inner
  const { nullable: _, ...rest } = inner
  return { ...rest, type: [type, 'null'] }
}

/** Names of types as Gemini's API writes them. JSON Schema has them in lower case. */
const types = new Set(['STRING', 'NUMBER', 'INTEGER', 'BOOLEAN', 'ARRAY', 'OBJECT', 'NULL'])

/** Returns whether the type of a schema is written as Gemini's API writes it, which JSON Schema does not allow. */
export function isGeminiSchema(schema: unknown): boolean {
  const type = isObject(schema) ? own(schema, 'type') : undefined
  return typeof type === 'string' && types.has(type)
}

/** Keywords of Gemini's schemas that have another name in JSON Schema, or that Python writes with underscores. */
const renamed = new Map([
  ['any_of', 'anyOf'],
  ['additional_properties', 'additionalProperties'],
  ['min_items', 'minItems'],
  ['max_items', 'maxItems'],
  ['min_length', 'minLength'],
  ['max_length', 'maxLength'],
  ['min_properties', 'minProperties'],
  ['max_properties', 'maxProperties'],
  ['property_ordering', 'propertyOrdering'],
  ['defs', '$defs'],
  ['ref', '$ref'],
])

/** Keywords whose value is an int64, which JSON of Protocol Buffers writes as text: `"maxItems": "5"`. */
const counts = /^(?:min|max)(?:Items|Length|Properties)$/

/**
 * Returns a schema of the Gemini API (https://ai.google.dev/api/caching#Schema) as JSON Schema: types in lower case,
 * `nullable` as a type and, because its `enum` is a list of texts, as a value; counts and the enum of a number as
 * numbers; `example` as `examples`; `ref` and `defs` of Vertex AI. Unset members (null) are left out. Recursive: the
 * caller limits the depth.
 */
export function fromGeminiSchema(schema: SchemaObject): SchemaObject {
  const named = Object.entries(schema).flatMap(([key, value]) => {
    const name = renamed.get(key) ?? key
    if (value === null && name !== 'default' && name !== 'example') return []
    return [[name, readMember(name, value)] as const]
  })
  const inner = mapSubschemas(Object.fromEntries(named), part =>
    isObject(part) ? fromGeminiSchema(part) : part,
  )
  const { type: given, format, nullable, example, ...rest } = inner
  const type = typeof given === 'string' && types.has(given) ? given.toLowerCase() : given
  const read: UnknownObject = {
    ...(type !== undefined && type !== 'TYPE_UNSPECIFIED' && { type }),
    ...rest,
    // The format "enum" only marks a schema that has an enum.
    ...(format !== undefined && format !== 'enum' && { format }),
    ...readEnum(rest, type),
    ...(example !== undefined && !Object.hasOwn(rest, 'examples') && { examples: [example] }),
  }
  return nullable === true ? addNull(read) : read
}

function readMember(name: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (name === '$ref') return value.replace(/^#\/defs\//, '#/$defs/')
  return counts.test(name) && /^\d{1,15}$/.test(value) ? Number(value) : value
}

/** The values of a number are texts, too. */
function readEnum({ enum: values }: UnknownObject, type: unknown): UnknownObject {
  if (!Array.isArray(values)) return {}
  const isNumber = type === 'integer' || type === 'number'
  const toValue = (value: unknown) =>
    isNumber && typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,10})?$/.test(value) ? Number(value) : value
  return { enum: values.map(toValue) }
}

function addNull(schema: UnknownObject): UnknownObject {
  const { type, enum: values, anyOf } = schema
  return {
    ...schema,
    ...(typeof type === 'string' && type !== 'null' && { type: [type, 'null'] }),
    ...(Array.isArray(values) && !values.includes(null) && { enum: [...values, null] }),
    ...(Array.isArray(anyOf) && { anyOf: [...anyOf, { type: 'null' }] }),
  }
}
