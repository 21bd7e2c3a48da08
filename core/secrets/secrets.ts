/**
 * Which parts of an input are secret, and an input without them. Used before anything is written down
 * (drafts, history, links): what is secret stays in memory.
 */
import { parse, stringify } from 'lossless-json'
import type { JsonSchema } from '../tool/tool.ts'

/** Words that name a secret wherever they stand in a name: `githubToken`, `X-Api-Key`, `db_password`. */
const secretWords =
  /(^|[^a-z])(token|secret|password|passwd|passphrase|pwd|api[^a-z]?key|access[^a-z]?key|private[^a-z]?key|credential|authorization|bearer)s?($|[^a-z])/

/** Whether a field's name says that its value is secret. `tokens` counts, `tokenizer` and `max_tokens_used` do not. */
export function isSecretName(name: string): boolean {
  if (name.length > 500) return false
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
  return secretWords.test(words) && !/(^|[^a-z])(max|min|num|count|total)[^a-z]/.test(words)
}

/** At most this many schema nodes are looked at: a hostile schema may hold millions. */
const schemaLimit = 20_000

/** Names of properties that the schema itself marks as secret (`format: password`, `writeOnly`), at any depth. */
export function secretNamesOf(schema: JsonSchema): ReadonlySet<string> {
  const names = new Set<string>()
  const waiting: { name: string | undefined; value: unknown }[] = [{ name: undefined, value: schema }]
  const seen = new Set<unknown>()
  for (let looked = 0; looked < schemaLimit; looked += 1) {
    const node = waiting.pop()
    if (!node) break
    if (typeof node.value !== 'object' || node.value === null || seen.has(node.value)) continue
    seen.add(node.value)
    const marks = node.value as { format?: unknown; writeOnly?: unknown }
    if (node.name !== undefined && (marks.format === 'password' || marks.writeOnly === true))
      names.add(node.name)
    // The name nearest above belongs to a schema inside anyOf, items and the like: none of those is a property name.
    for (const [key, value] of Object.entries(node.value)) {
      const inProperties = isPropertyMap(key, value)
      if (inProperties)
        for (const [name, child] of Object.entries(value)) waiting.push({ name, value: child })
      else waiting.push({ name: node.name, value })
    }
  }
  return names
}

function isPropertyMap(key: string, value: unknown): value is object {
  return (key === 'properties' || key === 'patternProperties') && typeof value === 'object' && value !== null
}

/**
 * The JSON text without its secret members, numbers kept to the last digit; the text itself when there are none.
 * Undefined when that cannot be told for certain (not JSON yet, or nested too deeply): then keep nothing.
 *
 * @param marked names the schema marks, from `secretNamesOf`
 */
export function withoutSecrets(text: string, marked: ReadonlySet<string>): string | undefined {
  if (text.trim() === '') return text
  try {
    let found = false
    const isSecret = (key: string) => isSecretName(key) || marked.has(key)
    const value = parse(text, (key, member) => {
      // Array positions come as keys too; no position is a secret's name.
      if (!isSecret(key)) return member
      found = true
      return undefined
    })
    if (!found) return text
    return value === undefined ? '' : stringify(value, undefined, 2)
  } catch {
    return undefined
  }
}
