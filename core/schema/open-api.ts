/** Schema objects of OpenAPI 3.0, which no reader of JSON Schema understands in one point. */
import { isObject, own } from '../json/json.ts'
import { isOpenApi30 } from './dialect.ts'
import type { SchemaObject } from './schema.ts'
import { mapSubschemas } from './walk.ts'

/**
 * The schema with `nullable: true` written as a type, where its `$schema` says OpenAPI 3.0; any other schema as it is, for
 * there `nullable` means nothing. It counts beside a `type` only, and adds nothing to an `enum`
 * (https://spec.openapis.org/oas/v3.0.4#schema-object). Recursive: the caller bounds the depth.
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
