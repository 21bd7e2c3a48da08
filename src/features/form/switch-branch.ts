/** Switches a union to another branch and keeps the values that both branches allow. */
import { nodeHolds } from '../../../core/form/branch-match.ts'
import type { FormNode, UnionBranch } from '../../../core/form/form-node.ts'
import { type FormPlanner, fitsNode } from '../../../core/form/form-schema.ts'
import { jsonEquals } from '../../../core/json/equality.ts'
import { isJsonNumber, isObject, type Json, type JsonObject, numberText } from '../../../core/json/json.ts'
import { readNumber } from '../../../core/json/json-text.ts'

/**
 * @param previous the branch's value when it was last left; supplies keys that the current value lacks
 * @returns undefined if no value can be carried over: the field is then absent until the user enters a value
 */
export function switchBranch(
  planner: FormPlanner,
  value: Json | undefined,
  from: UnionBranch | undefined,
  to: UnionBranch,
  previous: Json | undefined,
): Json | undefined {
  const node = planner.plan(to.schema)
  if (node.kind === 'const') return node.value
  if (node.kind === 'object') return switchObject(planner, value, from, to, node, previous)
  if (previous !== undefined) return previous
  if (value === undefined || value === null) return undefined
  if (node.kind === 'union') return nodeHolds(planner, node, value) ? value : undefined
  return convert(node, value)
}

function switchObject(
  planner: FormPlanner,
  value: Json | undefined,
  from: UnionBranch | undefined,
  to: UnionBranch,
  node: Extract<FormNode, { kind: 'object' }>,
  previous: Json | undefined,
): Json | undefined {
  const fromNode = from ? planner.plan(from.schema) : undefined
  const leaving = new Set(
    fromNode?.kind === 'object' ? fromNode.properties.map(property => property.name) : [],
  )
  const known = new Map(node.properties.map(property => [property.name, property.schema]))
  const next = new Map<string, Json>()
  for (const [key, item] of Object.entries<Json>(isObject(value) ? value : {})) {
    const schema = known.get(key)
    if (schema === undefined ? !leaving.has(key) : holds(planner.plan(schema), item)) next.set(key, item)
  }
  for (const [key, item] of Object.entries<Json>(isObject(previous) ? previous : {}))
    if (!next.has(key)) next.set(key, item)
  for (const [key, item] of to.constants) next.set(key, item)
  return Object.fromEntries(next) as JsonObject
}

/** A different fixed value belongs to the previous branch. */
function holds(node: FormNode, value: Json): boolean {
  if (node.kind === 'const') return jsonEquals(node.value, value)
  if (node.kind === 'enum' && node.options.length === 1) return jsonEquals(node.options[0]?.value, value)
  return fitsNode(node, value)
}

/** Returns the same value as another kind, if the conversion is unambiguous: `"5"` ⇄ `5`, `x` ⇄ `[x]`. */
export function convert(node: FormNode, value: Json): Json | undefined {
  if (node.kind === 'any' || node.kind === 'union') return value
  if (node.kind === 'enum') return node.options.find(option => jsonEquals(option.value, value))?.value
  if (fitsNode(node, value)) return value
  if (node.kind === 'number' && typeof value === 'string') return readNumber(value.trim()) ?? undefined
  if (node.kind === 'string' && isJsonNumber(value)) return numberText(value)
  if (node.kind === 'string' && typeof value === 'boolean') return String(value)
  if (node.kind === 'array' && !isObject(value)) return [value]
  if (Array.isArray(value) && value.length === 1) return convert(node, value[0] as Json)
  return undefined
}
