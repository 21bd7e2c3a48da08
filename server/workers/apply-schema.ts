/** Validates one value against one schema of a tool, in the worker thread. */
import { LRUCache } from 'lru-cache'
import type { Json } from '../../core/json/json.ts'
import type { Validation } from '../../core/tool/invocation.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'
import { createSchemaValidator } from '../../core/validation/schema-validator.ts'

const maxCached = 200
const validators = new LRUCache<string, (value: Json) => Validation>({ max: maxCached })

/** `schemaText` is the schema as JSON. Returns `unchecked` with the reason if the schema cannot be applied. */
export function applySchema(schemaText: string, value: Json): Validation {
  const validate = validators.get(schemaText) ?? createSchemaValidator(JSON.parse(schemaText) as JsonSchema)
  validators.set(schemaText, validate)
  return validate(value)
}
