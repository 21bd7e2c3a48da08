/** An input to begin with, for the usage of a man page. */
import { callerSchema } from '../schema/caller-schema.ts'
import { writeJson } from '../schema/json-text.ts'
import { isSchemaObject } from '../schema/resolve-ref.ts'
import { hasExplosivePattern } from '../schema/safe-pattern.ts'
import { sampleValue } from '../schema/sample.ts'
import type { JsonSchema } from '../tool.ts'

const longest = 1000
const deepest = 100

/**
 * The smallest input that fits, as JSON on one line; the author's own examples first. Undefined where none is found
 * without risk: a pattern that could run for ever is not run here, and a long input is no example.
 */
export function sampleInput(inputSchema: JsonSchema): string | undefined {
  try {
    const schema = simplified(demandedOnly(callerSchema(inputSchema)), 0) as JsonSchema
    if (hasExplosivePattern(schema)) return undefined
    const text = writeJson(sampleValue(schema, { optional: 'none' }), 0)
    return text.length > longest ? undefined : text
  } catch {
    // Too deep or too wide to walk: the page goes without an example.
    return undefined
  }
}

/** Without the fields that a smallest input leaves out anyway: their patterns need not be judged. */
function demandedOnly(schema: JsonSchema): JsonSchema {
  if (!isSchemaObject(schema) || !isSchemaObject(schema.properties)) return schema
  const required = new Set(Array.isArray(schema.required) ? schema.required : [])
  const demanded = Object.entries(schema.properties).filter(([name]) => required.has(name))
  return { ...schema, properties: Object.fromEntries(demanded) }
}

/** Without the patterns that stand beside a format: a sample of the format is made to fit those of its kind. */
function simplified(schema: unknown, depth: number): unknown {
  if (depth > deepest) return schema
  if (Array.isArray(schema)) return schema.map(part => simplified(part, depth + 1))
  if (!isSchemaObject(schema)) return schema
  const isOfFormat = typeof schema.format === 'string'
  const entries = Object.entries(schema).filter(
    ([keyword, value]) => !(isOfFormat && keyword === 'pattern' && typeof value === 'string'),
  )
  return Object.fromEntries(entries.map(([keyword, value]) => [keyword, simplified(value, depth + 1)]))
}
