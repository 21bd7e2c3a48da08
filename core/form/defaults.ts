/** Collects the defaults of a schema for "Apply defaults". */

import { isObject, type Json } from '../json/json.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { type FormPlanner, getFormPlanner } from './form-schema.ts'

const maxDepth = 12

/**
 * Returns `value` with the schema's defaults at all absent locations; `undefined` if there are none. Absent optional
 * objects stay absent unless they have their own default.
 */
export function fillDefaults(schema: JsonSchema, value: Json | undefined): Json | undefined {
  return fill(getFormPlanner(schema), schema, value, 0, true)
}

function fill(
  planner: FormPlanner,
  schema: JsonSchema,
  value: Json | undefined,
  depth: number,
  required: boolean,
): Json | undefined {
  const node = planner.plan(schema)
  const own = value === undefined ? (node.schema.default as Json | undefined) : value
  if (node.kind !== 'object' || depth > maxDepth) return own
  if (own !== undefined && !isObject(own)) return own
  if (own === undefined && !required) return undefined
  const filled = new Map<string, Json>(Object.entries<Json>(own ?? {}))
  for (const property of node.properties) {
    const inner = fill(planner, property.schema, filled.get(property.name), depth + 1, property.required)
    if (inner !== undefined) filled.set(property.name, inner)
  }
  return filled.size === 0 && own === undefined ? undefined : Object.fromEntries(filled)
}
