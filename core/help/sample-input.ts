/** An input to begin with, for the usage of a man page. */

import { createFormPlanner } from '../form/form-schema.ts'
import { isObject } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { callerSchema } from '../json-schema/caller-schema.ts'
import { sampleValue } from '../sample/sample.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { hasExplosivePattern } from '../validation/safe-pattern.ts'
import { nodeOf } from './tool-fields.ts'

const longest = 1000
const deepest = 100
/** Parts that an input must have, and how far inside, beyond which no example is made. */
const mostParts = 300
const deepestDemand = 12

/**
 * The smallest input that fits, as JSON on one line; the author's own examples first. Undefined where none is found
 * without risk: a pattern that could run for ever is not run here, and a long input is no example.
 */
export function sampleInput(inputSchema: JsonSchema): string | undefined {
  try {
    const schema = simplified(demandedOnly(callerSchema(inputSchema)), 0) as JsonSchema
    if (hasExplosivePattern(schema) || !isSmall(schema)) return undefined
    const text = writeJson(sampleValue(schema, { optional: 'none' }), 0)
    return text.length > longest ? undefined : text
  } catch {
    // Too deep or too wide to walk: the page goes without an example.
    return undefined
  }
}

/**
 * Whether the demanded parts end soon. A schema that demands itself has no smallest input, and looking for one took
 * most of a minute.
 */
function isSmall(schema: JsonSchema): boolean {
  const planner = createFormPlanner(schema)
  const waiting: { readonly part: JsonSchema; readonly depth: number }[] = [{ part: schema, depth: 0 }]
  for (let looked = 0; looked < mostParts; looked++) {
    const next = waiting.pop()
    if (next === undefined) return true
    if (next.depth > deepestDemand) return false
    const node = nodeOf(planner, next.part)
    const inside = (parts: readonly JsonSchema[]) => {
      for (const part of parts) waiting.push({ part, depth: next.depth + 1 })
    }
    if (node.kind === 'object')
      inside(node.properties.filter(({ required }) => required).map(property => property.schema))
    if (node.kind === 'array') inside(node.minItems > 0 ? [...node.prefix, node.items] : node.prefix)
    if (node.kind === 'union') inside(node.branches.slice(0, 1).map(branch => branch.schema))
  }
  return false
}

/** Without the fields that a smallest input leaves out anyway: their patterns need not be judged. */
function demandedOnly(schema: JsonSchema): JsonSchema {
  if (!isObject(schema) || !isObject(schema.properties)) return schema
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const demanded = Object.entries(schema.properties).filter(([name]) => required.has(name))
  return { ...schema, properties: Object.fromEntries(demanded) }
}

/** Without the patterns that stand beside a format: a sample of the format is made to fit those of its kind. */
function simplified(schema: unknown, depth: number): unknown {
  if (depth > deepest) return schema
  if (Array.isArray(schema)) return schema.map(part => simplified(part, depth + 1))
  if (!isObject(schema)) return schema
  const isOfFormat = typeof schema.format === 'string'
  const entries = Object.entries(schema).filter(
    ([keyword, value]) => !(isOfFormat && keyword === 'pattern' && typeof value === 'string'),
  )
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, simplified(value, depth + 1)]))
}
