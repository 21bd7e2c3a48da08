/** Input object → flags: the words that readFlags reads back to the very same object. */
import { openInput } from '../help/tool-fields.ts'
import { jsonEquals } from '../json/equality.ts'
import { isJsonNumber, type Json, type JsonObject, numberText } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { readFlags, wholeFlag } from './flags.ts'

/**
 * The words for an input: short flags where they say the same, else `--json` with the whole.
 * Null where neither can say it (a field named `json` and one named `input-json`, and a value that flags cannot carry).
 */
export function toFlags(inputSchema: JsonSchema, input: JsonObject): string[] | null {
  const { fields } = openInput(inputSchema)
  const declared = new Set(fields.map(({ name }) => name))
  const words = Object.entries(input).map(([name, value]) =>
    declared.has(name) || typeof value === 'string' ? wordsFor(inputSchema, name, value) : undefined,
  )
  const flat = words.every(each => each !== undefined) ? words.flat() : null
  if (flat !== null && readsBack(inputSchema, flat, input)) return flat
  const whole = wholeFlag(inputSchema)
  return whole === undefined ? null : [`--${whole}`, writeJson(input, 0)]
}

/** The first way of writing one field that reads back as it was. */
function wordsFor(schema: JsonSchema, name: string, value: Json): readonly string[] | undefined {
  const wanted = Object.fromEntries([[name, value]])
  return [...spellings(name, value)].find(words => readsBack(schema, words, wanted))
}

function* spellings(name: string, value: Json): Generator<readonly string[]> {
  if (value === true) yield [`--${name}`]
  const texts = textsOf(value)
  for (const text of texts) {
    if (!text.startsWith('--')) yield [`--${name}`, text]
    yield [`--${name}=${text}`]
  }
}

function textsOf(value: Json): string[] {
  const json = writeJson(value, 0)
  if (typeof value === 'string') return [value, json]
  if (isJsonNumber(value)) return [numberText(value)]
  if (Array.isArray(value) && value.every(item => typeof item !== 'object'))
    return [value.map(item => (typeof item === 'string' ? item : writeJson(item, 0))).join(','), json]
  return [json]
}

function readsBack(schema: JsonSchema, words: readonly string[], input: JsonObject): boolean {
  const reading = readFlags(schema, words)
  return reading.ok && !reading.dryRun && !reading.help && jsonEquals(reading.input, input)
}
