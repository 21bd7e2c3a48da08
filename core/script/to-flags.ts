/** Writes an input as the flags that `readFlags` reads. */

import { jsonEquals } from '../json/equality.ts'
import { isJsonNumber, isObject, type Json, type JsonObject, numberText } from '../json/json.ts'
import { writeJson } from '../json/json-text.ts'
import { openInput } from '../prompt/usage-line.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { type FlagOptions, readFlags, wholeFlag } from './read-flags.ts'

/** An input with more members is written as one JSON text. */
const maxMembers = 200

/**
 * Returns the words for an input: flags as a person types them if they are read back as the same value, else `--json` with the
 * whole. Accepts any schema; never throws.
 *
 * @returns null if neither can express the input: flags cannot carry a value, and the tool itself declares `json` and
 * `input-json`, or `strict` is given
 */
export function toFlags(
  inputSchema: JsonSchema,
  input: JsonObject,
  { strict }: Pick<FlagOptions, 'strict'> = {},
): string[] | null {
  const declared = new Set(openInput(inputSchema).fields.map(({ name }) => name))
  const readsBack = (words: readonly string[], wanted: JsonObject) => {
    const reading = readFlags(inputSchema, words, strict === undefined ? {} : { strict })
    return reading.ok && !reading.dryRun && !reading.help && jsonEquals(reading.input, wanted)
  }
  const entries = Object.entries(input)
  const words =
    entries.length > maxMembers
      ? [undefined]
      : entries.map(([name, value]) =>
          declared.has(name) || typeof value === 'string'
            ? listSpellings(name, value).find(each => readsBack(each, Object.fromEntries([[name, value]])))
            : undefined,
        )
  const flat = words.every(each => each !== undefined) ? words.flat() : null
  if (flat !== null && readsBack(flat, input)) return flat
  const whole = strict === undefined ? wholeFlag(inputSchema) : undefined
  return whole === undefined ? null : [`--${whole}`, writeJson(input, 0)]
}

/** Returns the ways to write one field, the way that a person prefers first. */
function listSpellings(name: string, value: Json): (readonly string[])[] {
  if (value === true) return [[`--${name}`], [`--${name}=true`]]
  if (value === false && !name.startsWith('no-')) return [[`--no-${name}`], [`--${name}=false`]]
  const texts = listTexts(value).flatMap(text => {
    const joined = [`--${name}=${text}`]
    // A word that begins with a dash may be an option of the command, and a flag that begins with `no-` takes no word.
    return text.startsWith('-') || name.startsWith('no-') ? [joined] : [[`--${name}`, text], joined]
  })
  const dotted = toDottedWords(name, value)
  return dotted === undefined ? texts : [dotted, ...texts]
}

/** Returns `--limits.cpu 2 --limits.on` for an object of scalars; undefined for other values. */
function toDottedWords(name: string, value: Json): string[] | undefined {
  if (!isObject(value)) return undefined
  const entries = Object.entries(value)
  if (entries.length === 0 || entries.length > maxMembers) return undefined
  const words = entries.map(([member, inner]) =>
    typeof inner === 'object' && !isJsonNumber(inner)
      ? undefined
      : listSpellings(`${name}.${member}`, inner)[0],
  )
  return words.every(each => each !== undefined) ? words.flat() : undefined
}

function listTexts(value: Json): string[] {
  const json = writeJson(value, 0)
  if (typeof value === 'string') return [value, json]
  if (isJsonNumber(value)) return [numberText(value)]
  if (Array.isArray(value) && value.every(item => typeof item !== 'object'))
    return [value.map(item => (typeof item === 'string' ? item : writeJson(item, 0))).join(','), json]
  return [json]
}
