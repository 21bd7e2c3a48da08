/** Which fields hold secrets: they are masked on the screen and kept out of history, links and exports. */
import { isSchemaObject } from '../json-schema/resolve-ref.ts'

const secretName =
  /(?:^|[^a-z])(?:password|passwd|passphrase|secret|token|api[-_ ]?key|apikey|access[-_ ]?key|private[-_ ]?key|credentials?|authorization)(?:$|[^a-z])/

/** Names that end in one of these words speak of paging or counting, not of a secret. */
const harmless =
  /(?:page|next|continuation|cursor|sync|max|min|num|count|total|input|output|prompt|completion)[-_ ]?tokens?$|tokens$/

/** Judges by the schema (`format: password`, `writeOnly`) and by the field's name. */
export function isSecret(name: string, schema: unknown): boolean {
  if (isSchemaObject(schema)) {
    if (schema.format === 'password' || schema.writeOnly === true) return true
    if (schema.type !== undefined && schema.type !== 'string') return false
  }
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1_$2').toLowerCase()
  return secretName.test(words) && !harmless.test(words)
}
