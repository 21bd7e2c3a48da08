/**
 * Flags → input object, as ScriptedTool reads them: `--k v`, `--k=v`, `--b` for a boolean, numbers parsed, lists as JSON,
 * `a,b` or repeats, objects as JSON or `k=v k2=v2`. Our own addition is `--json VALUE` for the whole input.
 */

import { isObject, type Json, type JsonObject, own } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import { withSortedKeys } from '../json/sort-keys.ts'
import { openInput } from '../prompt/tool-fields.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { flagTypes } from './flag-types.ts'
import { flagFault, flagValue, membersTaken } from './flag-value.ts'

export interface ReadFlags {
  readonly input: JsonObject
  readonly dryRun: boolean
  readonly help: boolean
}

export type FlagReading =
  | ({ readonly ok: true } & ReadFlags)
  /** What is wrong, in the seed system's words: one line without the tool's name. */
  | { readonly ok: false; readonly message: string; readonly dryRun: boolean }

/** What stands for the whole input, unless the tool has a field of that name. */
const wholeNames = ['json', 'input-json'] as const

/** The flag that takes the whole input of a tool with this schema; undefined where the tool's own fields leave no name. */
export function wholeFlag(inputSchema: JsonSchema): string | undefined {
  const names = new Set(openInput(inputSchema).fields.map(field => field.name))
  return wholeNames.find(name => !names.has(name))
}

/**
 * Reads a tool's words. Takes any words and any schema, never throws. Flags that the schema does not declare are kept
 * as texts, unless it takes no others. A text that starts with `--` needs `=`. `--json -` takes `stdin`. The members of
 * the input are in alphabetical order, as the seed system sends them.
 */
export function readFlags(
  inputSchema: JsonSchema,
  words: readonly string[],
  stdin: string | null = null,
): FlagReading {
  const { planner, fields } = openInput(inputSchema)
  const schemas = new Map(fields.map(({ name, schema }) => [name, schema]))
  const whole = wholeNames.find(name => !schemas.has(name))
  const given = new Map<string, string[]>()
  const bare = new Set<string>()
  let base: JsonObject = {}
  // `--help` counts whatever stands beside it.
  if (!schemas.has('help') && words.includes('--help'))
    return { ok: true, input: {}, dryRun: false, help: true }
  const dryRun = !schemas.has('dry-run') && words.includes('--dry-run')
  const refuse = (message: string): FlagReading => ({ ok: false, message, dryRun })
  const isClosed = isObject(inputSchema) && own(inputSchema, 'additionalProperties') === false

  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('--')) return refuse(`expected --flag, got: ${word.slice(0, 200)}`)
    const equals = word.indexOf('=')
    const name = word.slice(2, equals < 0 ? undefined : equals)
    const schema = schemas.get(name)
    if (word === '--dry-run' && dryRun) continue
    if (schema === undefined && isClosed && name !== whole) {
      const known = [...schemas.keys()].sort().map(key => `--${key}`)
      return refuse(`unknown flag: --${name.slice(0, 200)} (expected one of: ${known.join(', ')})`)
    }
    const types = schema === undefined ? undefined : flagTypes(planner, schema)
    const isSwitch = types !== undefined && [...types].every(type => type === 'boolean' || type === 'null')
    const takesMembers =
      types?.has('object') || (schema !== undefined && membersTaken(planner, schema).object !== undefined)
    const following = words[at + 1]
    let text: string | undefined
    if (equals >= 0) text = word.slice(equals + 1)
    else if (!isSwitch && following !== undefined && !following.startsWith('--')) {
      text = following
      at++
      // `--labels a=1 b=2`, unquoted, reaches us as two words.
      while (takesMembers && /^[^-\s=][^\s=]*=/.test(words[at + 1] ?? '')) text += ` ${words[++at]}`
    }
    if (name === whole) {
      const reading = wholeInput(name, text, stdin)
      if (typeof reading === 'string') return refuse(reading)
      base = reading
    } else if (text === undefined) {
      bare.add(name)
      given.delete(name)
    } else {
      bare.delete(name)
      given.set(name, [...(given.get(name) ?? []), text])
    }
  }

  const entries = new Map<string, Json>(Object.entries(base))
  for (const name of bare) entries.set(name, true)
  for (const [name, texts] of given) {
    const schema = schemas.get(name)
    const fault = schema === undefined ? null : flagFault(planner, schema, texts)
    if (fault !== null) return refuse(`--${name}: ${fault}`)
    entries.set(name, schema === undefined ? (texts.at(-1) ?? '') : flagValue(planner, schema, texts))
  }
  return { ok: true, input: withSortedKeys(Object.fromEntries(entries)), dryRun, help: false }
}

function wholeInput(flag: string, text: string | undefined, stdin: string | null): JsonObject | string {
  const json = text === '-' ? (stdin ?? '') : text
  if (json === undefined) return `--${flag} needs a JSON object, or - for stdin`
  const reading = readJson(json)
  if (!reading.ok) return `--${flag} is not JSON: ${reading.message.slice(0, 200)}`
  return isObject(reading.value) ? reading.value : `--${flag} needs a JSON object`
}
