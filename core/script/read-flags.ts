/**
 * Converts flags to an input object, like ScriptedTool: `--k v`, `--k=v`, `--b` for a boolean, numbers parsed, lists as
 * JSON, `a,b` or repeats, objects as JSON or `k=v k2=v2`. Our own addition is `--json VALUE` for the whole input.
 */

import type { FormNode } from '../form/form-node.ts'
import type { FormPlanner } from '../form/form-schema.ts'
import { withSortedKeys } from '../json/equality.ts'
import { isObject, type Json, type JsonObject, own } from '../json/json.ts'
import { readJson, readNumber } from '../json/json-text.ts'
import { openInput } from '../prompt/usage-line.ts'
import { nearest } from '../text/wording.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { flagTypes, isMember, isNumberWord, isOpen, nodeOfKind } from './flag-types.ts'

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

export interface FlagOptions {
  /** The text that `--json -` reads. */
  readonly stdin?: string | null
  /** The input that the flags change; empty without it. */
  readonly base?: JsonObject
  /**
   * Reads flags for a command line instead of a script: an undeclared flag is refused unless the schema allows other
   * members, and `--json`, `--help` and `--dry-run` have no meaning of their own. `otherFlags` are flags of the command
   * itself, which a refusal suggests too. Numbers after the first number of a list are its items too: `--scores 1 2`.
   */
  readonly strict?: { readonly otherFlags: readonly string[] }
}

/** The field, or member of a field, that a flag names. */
interface Target {
  readonly path: readonly string[]
  readonly schema: JsonSchema
}

/**
 * Reads a tool's words. Accepts any words and any schema; never throws. Undeclared flags are kept as texts, unless the
 * schema allows no others. A text that starts with `--` needs `=`. `--config.depth 2` is a member of an object and
 * `--no-force` is false. `--json -` reads `stdin`. The members of the input are in alphabetical order, as the seed system
 * sends them.
 */
export function readFlags(
  inputSchema: JsonSchema,
  words: readonly string[],
  { stdin = null, base: given = {}, strict }: FlagOptions = {},
): FlagReading {
  const { planner, fields } = openInput(inputSchema)
  const schemas = new Map(fields.map(({ name, schema }) => [name, schema]))
  const whole = strict === undefined ? wholeNames.find(name => !schemas.has(name)) : undefined
  /** The texts of each flag, or true or false without a text. */
  const values = new Map<string, readonly string[] | boolean>()
  let base = given
  // `--help` wins over all other words.
  if (strict === undefined && !schemas.has('help') && words.includes('--help'))
    return { ok: true, input: {}, dryRun: false, help: true }
  const dryRun = strict === undefined && !schemas.has('dry-run') && words.includes('--dry-run')
  const refuse = (message: string): FlagReading => ({ ok: false, message, dryRun })
  const refuseWord = (rule: string, word = '') =>
    refuse(`${rule}, but "${word.slice(0, 200)}" follows it; name sources before the tool's flags`)
  const isClosed = isObject(inputSchema) && own(inputSchema, 'additionalProperties') === false
  const targets = new Map<string, Target | undefined>()
  const getTarget = (name: string): Target | undefined => {
    if (!targets.has(name)) targets.set(name, findTarget(planner, schemas, name))
    return targets.get(name)
  }

  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? ''
    if (!word.startsWith('--')) return refuse(`expected --flag, got: ${word.slice(0, 200)}`)
    const equals = word.indexOf('=')
    const name = word.slice(2, equals < 0 ? undefined : equals)
    const schema = getTarget(name)?.schema
    if (word === '--dry-run' && dryRun) continue
    if (schema === undefined && name !== whole) {
      const negated = equals < 0 && name.startsWith('no-') ? name.slice(3) : undefined
      const negatedSchema = negated === undefined ? undefined : getTarget(negated)?.schema
      if (negated !== undefined && negatedSchema !== undefined && takesFalse(planner, negatedSchema)) {
        values.set(negated, false)
        continue
      }
      if (strict !== undefined && !allowsOthers(planner, inputSchema, schemas.size))
        return refuse(unknownOption(planner, schemas, name, strict.otherFlags))
      if (isClosed) {
        const known = [...schemas.keys()].sort().map(key => `--${key}`)
        return refuse(`unknown flag: --${name.slice(0, 200)} (expected one of: ${known.join(', ')})`)
      }
    }
    const types = schema === undefined ? undefined : flagTypes(planner, schema)
    const isSwitch = types !== undefined && [...types].every(type => type === 'boolean' || type === 'null')
    const takesMembers =
      types?.has('object') || (schema !== undefined && membersTaken(planner, schema).object !== undefined)
    const following = words[at + 1]
    const takesWord = !isSwitch || (strict !== undefined && /^(?:true|false)$/.test(following ?? ''))
    const more: string[] = []
    let text: string | undefined
    if (equals >= 0) text = word.slice(equals + 1)
    else if (takesWord && following !== undefined && !following.startsWith('--')) {
      text = following
      at++
      // The unquoted `--labels a=1 b=2` arrives as two words.
      while (takesMembers && isMember(words[at + 1])) text += ` ${words[++at]}`
      // On a command line, `--scores 1 2` is a list.
      if (strict !== undefined && isNumberWord(text))
        while (isNumberWord(words[at + 1])) more.push(words[++at] ?? '')
      if (more.length > 0 && (types?.has('array') !== true || types.has('string')))
        return refuseWord(`--${name} takes one value`, more[0])
    } else if (strict !== undefined && following?.startsWith('--') === false)
      return refuseWord(`--${name} is true without a value`, following)
    else if (strict !== undefined && types?.has('boolean') !== true) return refuse(`--${name} needs a value`)
    if (name === whole) {
      const reading = wholeInput(name, text, stdin)
      if (typeof reading === 'string') return refuse(reading)
      base = reading
    } else if (text === undefined) values.set(name, true)
    else {
      const before = values.get(name)
      values.set(name, [...(typeof before === 'object' ? before : []), text, ...more])
    }
  }

  let input = base
  // A member is added to its whole object, in whichever order both are typed.
  const countSteps = (name: string) => getTarget(name)?.path.length ?? 1
  for (const [name, texts] of [...values].sort(([one], [other]) => countSteps(one) - countSteps(other))) {
    const { path = [name], schema } = getTarget(name) ?? {}
    const fault =
      typeof texts === 'boolean' || schema === undefined ? null : flagFault(planner, schema, texts)
    if (fault !== null) return refuse(`--${name}: ${fault}`)
    const value =
      typeof texts === 'boolean'
        ? texts
        : schema === undefined
          ? (texts.at(-1) ?? '')
          : flagValue(planner, schema, texts)
    const changed = withMember(input, path, value)
    if (changed === undefined) return refuse(`--${name}: --${path[0]} is given too, and is not an object`)
    input = changed
  }
  return { ok: true, input: withSortedKeys(input), dryRun, help: false }
}

/** Returns what a flag names: a declared field, or `field.member` of a declared object; undefined for other names. */
function findTarget(
  planner: FormPlanner,
  schemas: ReadonlyMap<string, JsonSchema>,
  name: string,
): Target | undefined {
  const whole = schemas.get(name)
  if (whole !== undefined) return { path: [name], schema: whole }
  if (name.length > maxName) return undefined
  for (let dot = name.lastIndexOf('.'); dot > 0; dot = name.lastIndexOf('.', dot - 1)) {
    const field = name.slice(0, dot)
    const members = name.slice(dot + 1).split('.')
    let schema = schemas.get(field)
    for (const member of members)
      schema = schema === undefined ? undefined : findMember(planner, schema, member)
    if (schema !== undefined) return { path: [field, ...members], schema }
  }
  return undefined
}

/** Returns the schema of an object's member; undefined unless the schema declares it or describes other members. */
function findMember(planner: FormPlanner, schema: JsonSchema, member: string): JsonSchema | undefined {
  const object = nodeOfKind(planner, schema, 'object')
  const declared = object?.properties.find(({ name }) => name === member)?.schema
  return (
    declared ??
    (object?.additionalStated === true && object.additional !== false ? object.additional : undefined)
  )
}

/** Returns a copy with the value at this path; undefined if something on the path is not an object. */
function withMember(
  input: JsonObject,
  [first = '', ...rest]: readonly string[],
  value: Json,
): JsonObject | undefined {
  if (rest.length === 0) return { ...input, [first]: value }
  const inner = own(input, first) ?? {}
  const changed = isObject(inner) ? withMember(inner as JsonObject, rest, value) : undefined
  return changed && { ...input, [first]: changed }
}

function takesFalse(planner: FormPlanner, schema: JsonSchema): boolean {
  const types = flagTypes(planner, schema)
  return types.has('boolean') && !types.has('string')
}

/** Whether a command line may name fields that the schema does not declare: it says so, or declares no field. */
function allowsOthers(planner: FormPlanner, inputSchema: JsonSchema, declared: number): boolean {
  const node = planner.plan(inputSchema)
  if (declared === 0) return node.kind !== 'object' || node.additional !== false
  return node.kind === 'object' && isOpenObject(node)
}

const maxListed = 12

function unknownOption(
  planner: FormPlanner,
  schemas: ReadonlyMap<string, JsonSchema>,
  name: string,
  otherFlags: readonly string[],
): string {
  const members = [...schemas].flatMap(([field, schema]) =>
    name.startsWith(`${field}.`)
      ? (nodeOfKind(planner, schema, 'object')?.properties ?? []).map(each => `${field}.${each.name}`)
      : [],
  )
  const own = [...schemas.keys()]
  const meant = nearest(name, [...members, ...own, ...otherFlags])
  const options = [...members, ...own].sort().map(key => `--${key}`)
  const listed =
    options.length === 0
      ? 'the tool has none'
      : `the tool has ${options.slice(0, maxListed).join(', ')}${options.length > maxListed ? ' …' : ''}`
  return `unknown option --${name.slice(0, 200)}; ${meant === null ? listed : `did you mean --${meant}?`}`
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
/** Maximum characters of a name with dots. */
const maxName = 500

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
