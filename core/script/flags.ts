/**
 * Converts flags to an input object, like ScriptedTool: `--k v`, `--k=v`, `--b` for a boolean, numbers parsed, lists as
 * JSON, `a,b` or repeats, objects as JSON or `k=v k2=v2`. Our own addition is `--json VALUE` for the whole input.
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
  /** The error in the seed system's words: one line without the tool's name. */
  | { readonly ok: false; readonly message: string; readonly dryRun: boolean }

/** Flags for the whole input, unless the tool has a field with that name. */
const wholeNames = ['json', 'input-json'] as const

/** Returns the flag for the whole input; undefined if the tool's own fields use both names. */
export function wholeFlag(inputSchema: JsonSchema): string | undefined {
  const names = new Set(openInput(inputSchema).fields.map(field => field.name))
  return wholeNames.find(name => !names.has(name))
}

/**
 * Reads a tool's words. Accepts any words and any schema; never throws. Undeclared flags are kept as texts, unless the
 * schema allows no others. A text that starts with `--` needs `=`. `--json -` reads `stdin`. The members of the input
 * are in alphabetical order, as the seed system sends them.
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
  // `--help` wins over all other words.
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
      // The unquoted `--labels a=1 b=2` arrives as two words.
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

/* Reads the text of a flag as a value of the flag's schema. Unreadable text stays text, which validation reports. */

/** Deeper lists and objects are read only as JSON. */
const maxDepth = 4

/**
 * Returns the value of one flag's texts, in the given order. Scalars: the last text counts. Lists: every text adds its
 * items (JSON, or `a,b`). Objects: every text adds its members (JSON, or `k=v k2=v2`).
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
 * Returns why the texts do not match this schema, in the seed system's words: an undeclared member of an object, or
 * text that is neither JSON nor members. Null if they match, or if validation will report it.
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

/**
 * Returns the object whose members `k=v` gives: the schema's own, or that of its list's items; none if text is allowed.
 */
function membersTaken(planner: FormPlanner, schema: JsonSchema) {
  const types = flagTypes(planner, schema)
  if (isOpen(types) || types.has('string')) return { object: undefined, isList: false }
  const list = types.has('array') ? nodeOfKind(planner, schema, 'array') : undefined
  const item = list === undefined ? undefined : nodeOfKind(planner, list.items, 'object')
  return { object: item ?? nodeOfKind(planner, schema, 'object'), isList: item !== undefined }
}

/** Whether the schema explicitly allows other members. */
function isOpenObject({ schema, patterns }: Extract<FormNode, { kind: 'object' }>): boolean {
  const additional = isObject(schema) ? own(schema, 'additionalProperties') : undefined
  return patterns.length > 0 || (additional !== undefined && additional !== false)
}

/** Returns one text as a value of this schema. */
function textValue(planner: FormPlanner, schema: JsonSchema, text: string, depth: number): Json {
  const types = flagTypes(planner, schema)
  const json = readJsonValue(text, types)
  if (json !== undefined) return json
  // If any type is allowed, only lists and objects are clearly JSON: `5` may be a text.
  if (isOpen(types)) return text
  const scalar = readScalar(text, types)
  if (scalar !== undefined) return scalar
  if (depth >= maxDepth) return text
  if (types.has('object') && (!types.has('string') || /^[^\s=]+=/.test(text))) {
    const members = readMembers(planner, schema, text, depth)
    if (members !== undefined) return members
  }
  if (types.has('string')) return text
  return types.has('array') ? readItems(planner, schema, text, depth) : text
}

/** Returns text as JSON if its first character says so and the schema allows that kind. */
function readJsonValue(text: string, types: ReturnType<typeof flagTypes>): Json | undefined {
  const first = text.trimStart()[0]
  const wanted =
    (first === '[' && types.has('array')) ||
    (first === '{' && (types.has('object') || types.has('array'))) ||
    // Quotes distinguish a text from other kinds.
    (first === '"' && types.has('string') && types.size > 1 && !isOpen(types))
  if (!wanted) return undefined
  const reading = readJson(text)
  if (!reading.ok || reading.value === undefined) return undefined
  // If only a list is allowed, an object is one of its items.
  return first === '{' && !types.has('object') ? [reading.value] : reading.value
}

/** Any text is a valid text, so kinds that the schema names after `string` are never reached, as in the seed system. */
function readScalar(text: string, all: ReturnType<typeof flagTypes>): Json | undefined {
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

/** Returns `+5`, `.5` and `007` in JSON's form. */
function plainDigits(text: string): string {
  return text
    .replace(/^\+(?=[\d.])/, '')
    .replace(/^(-?)(?=\.\d)/, '$10')
    .replace(/^(-?)0+(?=\d)/, '$1')
}

function readItems(planner: FormPlanner, schema: JsonSchema, text: string, depth: number): Json {
  const items = nodeOfKind(planner, schema, 'array')?.items ?? true
  // A list of objects is written like an object: one member list is one item.
  const whole = nodeOfKind(planner, items, 'object') && readMembers(planner, items, text, depth + 1)
  if (whole) return [whole]
  return text.split(',').map(part => textValue(planner, items, part, depth + 1))
}

/** Reads `k=v k2=v2`: a value ends at the next `name=`. Undefined if the text has another form. */
function readMembers(
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

/** Returns the names and texts of `k=v k2=v2`. Undefined if the text has another form. */
function memberTexts(text: string): [string, string][] | undefined {
  const trimmed = text.trim()
  const starts = [...trimmed.matchAll(/(?:^|\s)([^\s=]+)=/g)]
  if (starts[0]?.index !== 0) return undefined
  return starts.map((start, at) => {
    const [whole, name = ''] = start
    return [name, trimmed.slice(start.index + whole.length, starts[at + 1]?.index).trimEnd()]
  })
}
