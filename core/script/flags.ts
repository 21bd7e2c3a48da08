/**
 * Flags → input object, as ScriptedTool reads them: `--k v`, `--k=v`, `--b` for a boolean, numbers parsed, lists as JSON,
 * `a,b` or repeats, objects as JSON or `k=v k2=v2`. Our own addition is `--json VALUE` for the whole input.
 */

import type { FormNode } from '../form/form-node.ts'
import type { FormPlanner } from '../form/form-schema.ts'
import { isObject, type Json, type JsonObject, own } from '../json/json.ts'
import { readJson, readNumber } from '../json/json-text.ts'
import { withSortedKeys } from '../json/sort-keys.ts'
import { openInput } from '../prompt/tool-fields.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { flagTypes, isOpen, nodeOfKind } from './flag-types.ts'

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

/* The text behind a flag as a value, by the flag's schema. What fits nothing stays text: validation says so. */

/** Lists in lists and objects in objects beyond this are read as JSON only. */
const maxDepth = 4

/**
 * One flag's texts, in the order they were given, as its value. Scalars: the last text counts. Lists: every text adds
 * its items (JSON, or `a,b`). Objects: every text adds its members (JSON, or `k=v k2=v2`).
 */
function flagValue(planner: FormPlanner, schema: JsonSchema, texts: readonly string[]): Json {
  const last = texts.at(-1) ?? ''
  const types = flagTypes(planner, schema)
  if (texts.length > 1 && !isOpen(types)) {
    const values = texts.map(text => textValue(planner, schema, text, 0))
    if (types.has('array') && values.every(Array.isArray)) return values.flat() as Json
    if (types.has('object') && values.every(value => isObject(value)))
      return Object.fromEntries(values.flatMap(Object.entries))
  }
  return textValue(planner, schema, last, 0)
}

/**
 * Why the texts are no value of this schema, in the seed system's words: an object's member that is not declared, or
 * text that is neither JSON nor members. Null where they are, or validation will say so.
 */
function flagFault(planner: FormPlanner, schema: JsonSchema, texts: readonly string[]): string | null {
  const { object, isList } = membersTaken(planner, schema)
  if (object === undefined) return null
  for (const text of texts) {
    if (/^\s*[[{]/.test(text)) continue
    const members = memberTexts(text)
    if (members === undefined) {
      if (isList) return `expected JSON or key=value pairs, got '${text.slice(0, 200)}'`
      continue
    }
    const known = object.properties.map(({ name }) => name).sort()
    const strange = members.find(([name]) => !known.includes(name))?.[0]
    if (strange !== undefined && known.length > 0 && !isOpenObject(object))
      return `unknown key '${strange.slice(0, 200)}'; valid keys: ${known.join(', ')}`
  }
  return null
}

/** The object whose members `k=v` gives: the schema's own, or the items of its list. None where a text may be meant. */
function membersTaken(planner: FormPlanner, schema: JsonSchema) {
  const types = flagTypes(planner, schema)
  if (isOpen(types) || types.has('string')) return { object: undefined, isList: false }
  const list = types.has('array') ? nodeOfKind(planner, schema, 'array') : undefined
  const item = list === undefined ? undefined : nodeOfKind(planner, list.items, 'object')
  return { object: item ?? nodeOfKind(planner, schema, 'object'), isList: item !== undefined }
}

/** The schema says itself that other members may be there. */
function isOpenObject({ schema, patterns }: Extract<FormNode, { kind: 'object' }>): boolean {
  const additional = isObject(schema) ? own(schema, 'additionalProperties') : undefined
  return patterns.length > 0 || (additional !== undefined && additional !== false)
}

/** One text as a value of this schema. */
function textValue(planner: FormPlanner, schema: JsonSchema, text: string, depth: number): Json {
  const types = flagTypes(planner, schema)
  const json = jsonOf(text, types)
  if (json !== undefined) return json
  // Of a place that takes anything only a list or an object is clearly JSON: `5` may well be a text.
  if (isOpen(types)) return text
  const scalar = scalarOf(text, types)
  if (scalar !== undefined) return scalar
  if (depth >= maxDepth) return text
  if (types.has('object') && (!types.has('string') || /^[^\s=]+=/.test(text))) {
    const members = membersOf(planner, schema, text, depth)
    if (members !== undefined) return members
  }
  if (types.has('string')) return text
  return types.has('array') ? itemsOf(planner, schema, text, depth) : text
}

/** Text that is JSON by its first character, where the place can hold what it is. */
function jsonOf(text: string, types: ReturnType<typeof flagTypes>): Json | undefined {
  const first = text.trimStart()[0]
  const wanted =
    (first === '[' && types.has('array')) ||
    (first === '{' && (types.has('object') || types.has('array'))) ||
    // A text among other kinds can be told from them by its quotes.
    (first === '"' && types.has('string') && types.size > 1 && !isOpen(types))
  if (!wanted) return undefined
  const reading = readJson(text)
  if (!reading.ok || reading.value === undefined) return undefined
  // An object where only a list is meant is one item of it.
  return first === '{' && !types.has('object') ? [reading.value] : reading.value
}

/** Any text is a text: kinds that the schema names after `string` are never reached, as in the seed system. */
function scalarOf(text: string, all: ReturnType<typeof flagTypes>): Json | undefined {
  const order = [...all]
  const types = new Set(all.has('string') ? order.slice(0, order.indexOf('string') + 1) : order)
  if (types.has('number')) {
    const number = readNumber(plainDigits(text))
    if (number !== null) return number
  }
  if (types.has('boolean')) {
    const plain = types.has('string') ? /^(?:true|false)$/ : /^(?:true|false|yes|no|1|0)$/
    if (plain.test(text)) return /^(?:true|yes|1)$/.test(text)
  }
  return all.has('null') && !all.has('string') && text === 'null' ? null : undefined
}

/** `+5`, `.5` and `007` as JSON writes them. */
function plainDigits(text: string): string {
  return text
    .replace(/^\+(?=[\d.])/, '')
    .replace(/^(-?)(?=\.\d)/, '$10')
    .replace(/^(-?)0+(?=\d)/, '$1')
}

function itemsOf(planner: FormPlanner, schema: JsonSchema, text: string, depth: number): Json {
  const items = nodeOfKind(planner, schema, 'array')?.items ?? true
  // A list of objects is written as an object is: one member list, one item.
  const whole = nodeOfKind(planner, items, 'object') && membersOf(planner, items, text, depth + 1)
  if (whole) return [whole]
  return text.split(',').map(part => textValue(planner, items, part, depth + 1))
}

/** `k=v k2=v2`: a value goes on until the next `name=`. Undefined where the text is not written so. */
function membersOf(
  planner: FormPlanner,
  schema: JsonSchema,
  text: string,
  depth: number,
): { readonly [key: string]: Json } | undefined {
  const members = memberTexts(text)
  if (members === undefined) return undefined
  const object = nodeOfKind(planner, schema, 'object')
  return Object.fromEntries(
    members.map(([name, value]) => {
      const property =
        object?.properties.find(each => each.name === name)?.schema ?? object?.additional ?? true
      return [name, textValue(planner, property, value, depth + 1)] as const
    }),
  )
}

/** The names and texts of `k=v k2=v2`. Undefined where the text is not written so. */
function memberTexts(text: string): [string, string][] | undefined {
  const trimmed = text.trim()
  const starts = [...trimmed.matchAll(/(?:^|\s)([^\s=]+)=/g)]
  if (starts[0]?.index !== 0) return undefined
  return starts.map((start, at) => {
    const [whole, name = ''] = start
    return [name, trimmed.slice(start.index + whole.length, starts[at + 1]?.index).trimEnd()]
  })
}
