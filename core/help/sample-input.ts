/** A sample input, for the usage of a man page. */

import { createFormPlanner } from '../form/form-schema.ts'
import { isObject } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { callerSchema } from '../json-schema/caller-schema.ts'
import { sampleValue } from '../sample/sample.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { nodeOf } from './tool-fields.ts'

const maxSampleCharacters = 1000
/** A page waits for it: some tens of milliseconds. */
const maxSampleSteps = 20_000
const maxSchemaDepth = 100
/** Required parts of an input, and their depth; beyond, no sample is made. */
const maxRequiredParts = 300
const maxRequiredDepth = 12

/**
 * The smallest valid input, as JSON on one line; the author's own examples first. Undefined where the search is long, and
 * where the input is: it is no help then.
 */
export function sampleInput(inputSchema: JsonSchema): string | undefined {
  try {
    const schema = withoutFormatPatterns(requiredOnly(callerSchema(inputSchema)), 0) as JsonSchema
    if (!isSmall(schema)) return undefined
    const text = writeJson(sampleValue(schema, { optional: 'none', steps: maxSampleSteps }), 0)
    return text.length > maxSampleCharacters ? undefined : text
  } catch {
    // The schema is too deep or too wide: the page has no sample.
    return undefined
  }
}

/**
 * Whether the required parts are few. A schema that requires itself has no smallest input, and looking for one took
 * most of a minute.
 */
function isSmall(schema: JsonSchema): boolean {
  const planner = createFormPlanner(schema)
  const waiting: { readonly part: JsonSchema; readonly depth: number }[] = [{ part: schema, depth: 0 }]
  for (let count = 0; count < maxRequiredParts; count++) {
    const next = waiting.pop()
    if (next === undefined) return true
    if (next.depth > maxRequiredDepth) return false
    const node = nodeOf(planner, next.part)
    const addParts = (parts: readonly JsonSchema[]) => {
      for (const part of parts) waiting.push({ part, depth: next.depth + 1 })
    }
    if (node.kind === 'object')
      addParts(node.properties.filter(({ required }) => required).map(property => property.schema))
    if (node.kind === 'array') addParts(node.minItems > 0 ? [...node.prefix, node.items] : node.prefix)
    if (node.kind === 'union') addParts(node.branches.slice(0, 1).map(branch => branch.schema))
  }
  return false
}

/** Without optional fields: the smallest input does not contain them, so their patterns need no check. */
function requiredOnly(schema: JsonSchema): JsonSchema {
  if (!isObject(schema) || !isObject(schema.properties)) return schema
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const kept = Object.entries(schema.properties).filter(([name]) => required.has(name))
  return { ...schema, properties: Object.fromEntries(kept) }
}

/** Without the patterns beside a format: a sample of the format matches the usual patterns of its kind. */
function withoutFormatPatterns(schema: unknown, depth: number): unknown {
  if (depth > maxSchemaDepth) return schema
  if (Array.isArray(schema)) return schema.map(part => withoutFormatPatterns(part, depth + 1))
  if (!isObject(schema)) return schema
  const isOfFormat = typeof schema.format === 'string'
  const entries = Object.entries(schema).filter(
    ([keyword, value]) => !(isOfFormat && keyword === 'pattern' && typeof value === 'string'),
  )
  return Object.fromEntries(
    entries.map(([keyword, value]) => [keyword, withoutFormatPatterns(value, depth + 1)]),
  )
}
