/** The text behind a flag as a value, by the flag's schema. What fits nothing stays text: validation says so. */
import type { FormPlanner } from '../form/form-schema.ts'
import { isObject, type Json } from '../json/json.ts'
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

/** One text as a value of this schema. */
export function textValue(planner: FormPlanner, schema: JsonSchema, text: string, depth: number): Json {
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

function scalarOf(text: string, types: ReturnType<typeof flagTypes>): Json | undefined {
  if (types.has('number')) {
    const number = readNumber(plainDigits(text))
    if (number !== null) return number
  }
  if (types.has('boolean')) {
    const plain = types.has('string') ? /^(?:true|false)$/ : /^(?:true|false|yes|no|1|0)$/
    if (plain.test(text)) return /^(?:true|yes|1)$/.test(text)
  }
  return types.has('null') && text === 'null' ? null : undefined
}

/** `+5` and `007` as JSON writes them. */
function plainDigits(text: string): string {
  return text.replace(/^\+(?=\d)/, '').replace(/^(-?)0+(?=\d)/, '$1')
}

function itemsOf(planner: FormPlanner, schema: JsonSchema, text: string, depth: number): Json {
  if (text.trim() === '') return []
  const items = nodeOfKind(planner, schema, 'array')?.items ?? true
  // A list of objects is written as an object is: one member list, one item.
  const whole = nodeOfKind(planner, items, 'object') && membersOf(planner, items, text, depth + 1)
  if (whole) return [whole]
  return text.split(',').map(part => textValue(planner, items, part.trim(), depth + 1))
}

/** `k=v k2=v2`: a value goes on until the next `name=`. Undefined where the text is not written so. */
function membersOf(
  planner: FormPlanner,
  schema: JsonSchema,
  text: string,
  depth: number,
): { readonly [key: string]: Json } | undefined {
  const trimmed = text.trim()
  const starts = [...trimmed.matchAll(/(?:^|\s)([^\s=]+)=/g)]
  if (starts[0]?.index !== 0) return undefined
  const object = nodeOfKind(planner, schema, 'object')
  return Object.fromEntries(
    starts.map((start, at) => {
      const [whole, name = ''] = start
      const value = trimmed.slice(start.index + whole.length, starts[at + 1]?.index).trimEnd()
      const property =
        object?.properties.find(each => each.name === name)?.schema ?? object?.additional ?? true
      return [name, textValue(planner, property, value, depth + 1)] as const
    }),
  )
}
