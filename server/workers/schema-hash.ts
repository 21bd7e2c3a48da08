/**
 * Returns the first 16 hex digits of the SHA-256 of a schema's canonical JSON. Drafts and history use it to detect a
 * changed tool.
 */
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../core/json/equality.ts'
import type { JsonSchema } from '../../core/tool/tool.ts'

const known = new WeakMap<object, string>()

/** Computed once for each schema object. Throws if the schema is nested too deeply for JSON. */
export function schemaHash(schema: JsonSchema): string {
  if (typeof schema !== 'object') return digest(schema)
  const before = known.get(schema)
  if (before !== undefined) return before
  const hash = digest(schema)
  known.set(schema, hash)
  return hash
}

function digest(schema: JsonSchema): string {
  return createHash('sha256').update(canonicalJson(schema)).digest('hex').slice(0, 16)
}
