/** Translates schema objects of OpenAPI 3.0, whose `nullable` JSON Schema does not have. */
import { isObject, own } from '../json/json.ts'
import { isOpenApi30 } from './dialect.ts'
import type { SchemaObject } from './schema.ts'
import { mapSubschemas } from './walk-schema.ts'

/**
 * Returns the schema with `nullable: true` written as a type if its `$schema` says OpenAPI 3.0. Any other schema stays
 * unchanged, because `nullable` has no meaning there. `nullable` counts only together with `type`, and adds nothing to
 * an `enum` (https://spec.openapis.org/oas/v3.0.4#schema-object). Recursive: the caller limits the depth.
 */
export function withNullTypes(schema: SchemaObject): SchemaObject {
  return isOpenApi30(schema) ? rewrite(schema) : schema
}

function rewrite(schema: SchemaObject): SchemaObject {
  const inner = mapSubschemas(schema, part => (isObject(part) ? rewrite(part) : part))
  const type = own(inner, 'type')
  if (own(inner, 'nullable') !== true || typeof type !== 'string') return inner
  const { nullable: _, ...rest } = inner
  return { ...rest, type: [type, 'null'] }
}
