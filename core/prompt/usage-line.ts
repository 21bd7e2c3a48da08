/** The flags of a tool as in the seed system's `help`, and a usage line for people. */

import type { FormNode } from '../form/form-node.ts'
import { type FormPlanner, getFormPlanner } from '../form/form-schema.ts'
import { isObject, type Json, jsonType, own } from '../json/json.ts'
import { callerSchema } from '../schema/caller-schema.ts'
import { resolveRef } from '../schema/schema-document.ts'
import { plainLine } from '../text/plain-text.ts'
import { shorten } from '../text/wording.ts'
import type { JsonSchema } from '../tool/tool.ts'

/** The value of a flag. A list of objects is written like an object; `value` is anything, read as text. */
type FlagHint = 'integer' | 'number' | 'boolean' | 'string' | 'value' | 'json|a,b,c' | 'json|key=value...'

interface Flag {
  /** The field's exact name: hostile text. */
  readonly name: string
  readonly hint: FlagHint
  /** A field with a default is optional. */
  readonly required: boolean
}

/** Maximum nesting of unions, and maximum members of all of them. */
const maxUnionDepth = 16
const maxUnionMembers = 300
/** Maximum flags of a usage line. */
const maxFlags = 5_000

/** Returns the flags of a tool's input by name, as the seed system lists them. Accepts any JSON; never throws. */
export function listFlags(inputSchema: JsonSchema): Flag[] {
  const { planner, fields } = openInput(inputSchema)
  return byName(fields).map(({ name, schema, required }) => ({
    name,
    hint: typedHint(planner, planSchema(planner, schema)),
    required,
  }))
}

function byName(fields: readonly SchemaField[]): SchemaField[] {
  return fields
    .slice(0, maxFlags)
    .sort((one, other) => (one.name < other.name ? -1 : one.name > other.name ? 1 : 0))
}

/** Returns `--id <integer> --role <string>`; empty without fields. */
export function flagsText(flags: readonly Flag[]): string {
  return flags.map(({ name, hint }) => `--${plainLine(name)} <${hint}>`).join(' ')
}

/**
 * Returns readable flags by name: `--id <integer>`, `[--format json|text]`. Those in `[ ]` are optional; a few fixed
 * values replace their type. Accepts any JSON; never throws.
 *
 * @param max the number of flags to return; `more` counts the others
 */
export function usageFlags(inputSchema: JsonSchema, max = maxFlags): { flags: string[]; more: number } {
  const { planner, fields } = openInput(inputSchema)
  const flags = byName(fields)
    .slice(0, max)
    .map(({ name, schema, required }) => {
      const node = planSchema(planner, schema)
      const flag = `--${plainLine(name)} ${fixedWords(node) ?? `<${typedHint(planner, node)}>`}`
      return required ? flag : `[${flag}]`
    })
  return { flags, more: fields.length - flags.length }
}

const maxDescriptionCharacters = 200

/**
 * Returns the flags that have a description, by name, with its first line, at most 200 characters. Accepts any JSON;
 * never throws.
 */
export function describeFlags(inputSchema: JsonSchema): { flag: string; about: string }[] {
  return byName(openInput(inputSchema).fields).flatMap(({ name, schema }) => {
    const description = isObject(schema) ? own(schema, 'description') : undefined
    if (typeof description !== 'string') return []
    const about = shorten(plainLine(description.trim().split('\n', 1)[0] ?? ''), maxDescriptionCharacters)
    return about === '' ? [] : [{ flag: `--${plainLine(name)}`, about }]
  })
}

const maxFixedCharacters = 60

/** Returns `json|text` if the fixed values are short words that need no quotes in a shell. */
function fixedWords(node: FormNode): string | undefined {
  const values =
    node.kind === 'enum'
      ? node.options.map(option => option.value).filter(value => value !== null)
      : node.kind === 'const'
        ? [node.value]
        : []
  const words = values.map(value => (typeof value === 'string' ? value : JSON.stringify(value)))
  const text = words.join('|')
  const isShort = text.length <= maxFixedCharacters && words.every(word => /^[\w.:@%+,/-]+$/.test(word))
  return words.length > 0 && isShort ? text : undefined
}

/** Returns `Usage: get_user --id <integer>` without a line break; null if the input has no fields. */
export function usageLine(command: string, inputSchema: JsonSchema): string | null {
  const flags = listFlags(inputSchema)
  return flags.length === 0 ? null : `Usage: ${command} ${flagsText(flags)}`
}

/** Fixed values define the type only together with `type`: without it, the seed system accepts anything. */
function typedHint(planner: FormPlanner, node: FormNode): FlagHint {
  const isFixed = node.kind === 'enum' || node.kind === 'const'
  const isTyped = isObject(node.schema) && own(node.schema, 'type') !== undefined
  return isFixed && !isTyped ? 'value' : chooseHint(planner, node)
}

/** Returns the hint for a type. In a union, a list or an object decides, else the first member with a type. */
function chooseHint(
  planner: FormPlanner,
  node: FormNode,
  depth = 0,
  budget = { members: maxUnionMembers },
): FlagHint {
  switch (node.kind) {
    case 'string':
    case 'boolean':
      return node.kind
    case 'number':
      return node.integer ? 'integer' : 'number'
    case 'object':
      return 'json|key=value...'
    case 'array':
      return isListOfObjects(planner, node.items) ? 'json|key=value...' : 'json|a,b,c'
    case 'const':
      return hintOfValues([node.value])
    case 'enum':
      return hintOfValues(node.options.map(option => option.value))
    case 'union': {
      if (depth > maxUnionDepth) return 'value'
      const hints = node.branches.map(({ schema }): FlagHint => {
        budget.members -= 1
        return budget.members < 0
          ? 'value'
          : chooseHint(planner, planSchema(planner, schema), depth + 1, budget)
      })
      return hints.find(hint => hint.startsWith('json')) ?? hints.find(hint => hint !== 'value') ?? 'value'
    }
    default:
      return 'value'
  }
}

function isListOfObjects(planner: FormPlanner, items: JsonSchema): boolean {
  const node = planSchema(planner, items)
  if (node.kind !== 'union') return node.kind === 'object'
  return node.branches.some(branch => planSchema(planner, branch.schema).kind === 'object')
}

function hintOfValues(values: readonly Json[]): FlagHint {
  const present = values.filter(value => value !== null)
  const [type, ...others] = new Set(present.map(jsonType))
  if (type === undefined || others.length > 0) return 'value'
  if (type === 'number') return present.every(Number.isInteger) ? 'integer' : 'number'
  return type === 'string' || type === 'boolean' ? type : 'value'
}

interface SchemaField {
  readonly name: string
  readonly schema: JsonSchema
  /** A field with a default, or one that only some variants require, is optional. */
  readonly required: boolean
}

/** A schema with its planner, which can plan all its parts, including references. */
interface OpenSchema {
  readonly planner: FormPlanner
  readonly fields: readonly SchemaField[]
}

/** Maximum variants of one level that are searched for fields. */
const maxVariants = 100

/** Opens an input schema as it binds a caller. Accepts any JSON; never throws. */
export function openInput(inputSchema: JsonSchema): OpenSchema {
  const schema = callerSchema(inputSchema)
  const planner = getFormPlanner(schema)
  return { planner, fields: listLevelFields(planner, planSchema(planner, schema)) }
}

/** Maximum chain of references. */
const maxHops = 20

/**
 * Returns the plan of a schema. A bare reference returns the node of its target: a schema of a thousand fields that all
 * refer to the root is planned once, and a cycle is found at its first turn.
 */
export function planSchema(planner: FormPlanner, schema: JsonSchema): FormNode {
  let target = schema
  for (let hop = 0; hop < maxHops && isObject(target) && Object.keys(target).length === 1; hop++) {
    const ref = own(target, '$ref')
    const found = typeof ref === 'string' ? resolveRef(planner.root, ref) : undefined
    if (found === undefined) break
    target = found
  }
  return planner.plan(target)
}

/** Returns the fields of one level: an object's own, those of its conditions, and those of every variant of a union. */
function listLevelFields(planner: FormPlanner, node: FormNode): SchemaField[] {
  const found = new Map<string, SchemaField>()
  collect(planner, node, true, found, new Set())
  return [...found.values()]
}

function collect(
  planner: FormPlanner,
  node: FormNode,
  isRequired: boolean,
  found: Map<string, SchemaField>,
  seen: Set<FormNode>,
): void {
  if (seen.has(node) || seen.size > maxVariants) return
  seen.add(node)
  const add = (name: string, schema: JsonSchema, required: boolean) => {
    if (!found.has(name)) found.set(name, { name, schema, required: required && isRequired })
  }
  if (node.kind === 'object') {
    for (const { name, schema, required } of node.properties) add(name, schema, required)
    for (const { then, else: otherwise } of node.conditionals)
      for (const branch of [then, otherwise])
        collect(planner, planSchema(planner, branch), false, found, seen)
    for (const [, schema] of node.dependentSchemas)
      collect(planner, planSchema(planner, schema), false, found, seen)
  }
  if (node.kind === 'union')
    for (const branch of node.branches)
      collect(planner, planSchema(planner, branch.schema), false, found, seen)
  // A property with an invalid schema (`"limit": 5`) is declared too.
  const declared = own(node.schema, 'properties')
  if (isObject(declared)) for (const name of Object.keys(declared)) add(name, true, false)
}
