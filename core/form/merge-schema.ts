/**
 * Merging the members of `allOf` (and a `$ref` with its siblings) for rendering. Verdicts never come from a merged
 * schema.
 */

import { isObject, setOwn } from '../json/json.ts'
import { jsonIncludes } from '../json/json-index.ts'
import type { SchemaObject } from '../schema/schema.ts'
import type { JsonSchema } from '../tool/tool.ts'

type Merge = (left: unknown, right: unknown) => unknown

/**
 * Both schemas' demands in one object, as well as one level can say it. Where a keyword cannot be combined the
 * first schema's is kept (it is the outer one, whose title and description are meant for this place).
 */
export function mergeSchemas(left: SchemaObject, right: SchemaObject): SchemaObject {
  const merged: Record<string, unknown> = { ...left }
  for (const [keyword, value] of Object.entries(right)) {
    const merge = Object.hasOwn(rules, keyword) ? rules[keyword] : undefined
    if (!Object.hasOwn(merged, keyword)) setOwn(merged, keyword, value)
    else if (merge) setOwn(merged, keyword, merge(merged[keyword], value))
  }
  return merged
}

const rules: Readonly<Record<string, Merge>> = {
  properties: mergeMaps,
  patternProperties: mergeMaps,
  required: union,
  type: intersectTypes,
  enum: intersectValues,
  items: bothSchemas,
  additionalProperties: (left, right) =>
    left === false || right === false ? false : bothSchemas(left, right),
  propertyNames: bothSchemas,
  contains: bothSchemas,
  prefixItems: mergeLists,
  minimum: larger,
  exclusiveMinimum: larger,
  minLength: larger,
  minItems: larger,
  minProperties: larger,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
  uniqueItems: (left, right) => left === true || right === true,
}

function bothSchemas(left: unknown, right: unknown): unknown {
  if (left === right || right === true || isEmptySchema(right)) return left
  if (left === true || isEmptySchema(left)) return right
  return { allOf: [left as JsonSchema, right as JsonSchema] }
}

function isEmptySchema(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0
}

function mergeMaps(left: unknown, right: unknown): unknown {
  if (!isObject(left)) return right
  if (!isObject(right)) return left
  const merged = { ...left }
  for (const [name, schema] of Object.entries(right))
    setOwn(merged, name, Object.hasOwn(merged, name) ? bothSchemas(merged[name], schema) : schema)
  return merged
}

function mergeLists(left: unknown, right: unknown): unknown {
  if (!Array.isArray(left)) return right
  if (!Array.isArray(right)) return left
  const longer = left.length >= right.length ? left : right
  return longer.map((item, index) =>
    index < Math.min(left.length, right.length) ? bothSchemas(left[index], right[index]) : item,
  )
}

function union(left: unknown, right: unknown): unknown {
  return [...new Set([...listOf(left), ...listOf(right)])]
}

function intersectValues(left: unknown, right: unknown): unknown {
  const both = listOf(left).filter(jsonIncludes(listOf(right)))
  return both.length > 0 ? both : left
}

function intersectTypes(left: unknown, right: unknown): unknown {
  const others = typeList(right)
  const both = typeList(left).flatMap(type => {
    if (others.includes(type)) return [type]
    if (type === 'number' && others.includes('integer')) return ['integer']
    return type === 'integer' && others.includes('number') ? ['integer'] : []
  })
  if (both.length === 0) return left
  return both.length === 1 ? both[0] : both
}

function typeList(type: unknown): unknown[] {
  return Array.isArray(type) ? type : [type]
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function larger(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? Math.max(left, right) : left
}

function smaller(left: unknown, right: unknown): unknown {
  return typeof left === 'number' && typeof right === 'number' ? Math.min(left, right) : left
}
