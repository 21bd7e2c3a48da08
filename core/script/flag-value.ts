/** The text behind a flag as a value, by the flag's schema. What fits nothing stays text: validation says so. */
import type { FormNode } from '../form/form-node.ts'
import type { FormPlanner } from '../form/form-schema.ts'
import { isObject, type Json, own } from '../json/json.ts'
import { readJson, readNumber } from '../json/json-text.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { flagTypes, isOpen, nodeOfKind } from './flag-types.ts'

/** Lists in lists and objects in objects beyond this are read as JSON only. */
const maxDepth = 4

/**
 * One flag's texts, in the order they were given, as its value. Scalars: the last text counts. Lists: every text adds
 * its items (JSON, or `a,b`). Objects: every text adds its members (JSON, or `k=v k2=v2`).
 */
export function flagValue(planner: FormPlanner, schema: JsonSchema, texts: readonly string[]): Json {
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
export function flagFault(planner: FormPlanner, schema: JsonSchema, texts: readonly string[]): string | null {
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
export function membersTaken(planner: FormPlanner, schema: JsonSchema) {
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
