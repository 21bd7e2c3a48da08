/**
 * Removes what cannot affect a question. If two object schemas differ only in some properties, a counterexample remains
 * one without the optional properties that both describe alike.
 */
import { isObject } from '../../json/json.ts'
import { detectDialect, stateDialect } from '../../schema/dialect.ts'
import { definitionKeywords, textKeywords, validationKeywords } from '../../schema/keywords.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import { readNameList } from '../rules/schema-rule.ts'
import type { PlacedEdit } from './walk-pair.ts'

/** With fewer properties, pruning is not worth its cost. */
const fewest = 4

const simple: ReadonlySet<string> = new Set(['type', 'properties', 'required', 'additionalProperties'])

/**
 * Returns the names of the root's properties that the edits touch; undefined if they touch something else. An edited
 * `additionalProperties` of the root touches no listed property: the answer is the same for senders of declared fields.
 */
export function touchedProperties(edits: readonly PlacedEdit[]): ReadonlySet<string> | undefined {
  const names = new Set<string>()
  for (const { before, after } of edits) {
    if (before.length === 1 && (before[0] === 'required' || before[0] === 'additionalProperties')) continue
    if (before[0] !== 'properties' || before.length < 2 || before[1] !== after[1]) return undefined
    names.add(String(before[1]))
  }
  return names
}

/** Returns the documents without properties that are neither touched nor required in any of them. */
export function pruned(
  documents: readonly JsonSchema[],
  touched: ReadonlySet<string>,
): readonly JsonSchema[] | undefined {
  if (!documents.every(isPlainObject)) return undefined
  const keep = new Set(touched)
  for (const document of documents)
    if (isObject(document)) for (const name of readNameList(document, 'required')) keep.add(name)
  const smaller = documents.map(document => without(document, keep))
  return smaller.every((document, at) => document === documents[at]) ? undefined : smaller
}

/** Allows only properties: counts, patterns and conditions could depend on a removed property. */
function isPlainObject(document: JsonSchema): boolean {
  if (!isObject(document) || document.type !== 'object' || !isObject(document.properties)) return false
  return Object.keys(document).every(
    keyword =>
      simple.has(keyword) ||
      definitionKeywords.has(keyword) ||
      textKeywords.has(keyword) ||
      (!validationKeywords.has(keyword) && !keyword.startsWith('$dynamic')),
  )
}

function without(document: JsonSchema, keep: ReadonlySet<string>): JsonSchema {
  if (!isObject(document) || !isObject(document.properties)) return document
  const entries = Object.entries(document.properties)
  const remaining = entries.filter(([name]) => keep.has(name))
  if (entries.length - remaining.length < fewest) return document
  return { ...stateDialect(document, detectDialect(document)), properties: Object.fromEntries(remaining) }
}
