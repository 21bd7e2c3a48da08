import { isObject, type UnknownObject } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'

/** A schema that is neither `true` nor `false`. Its keywords are not checked. */
export type SchemaObject = UnknownObject

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'boolean' || isObject(value)
}
