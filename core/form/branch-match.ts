/** Guesses by shape to which branch of a union a value belongs, to show it; never a verdict. */

import { jsonEquals } from '../json/equality.ts'
import { isJsonNumber, isObject, type Json, numberText } from '../json/json.ts'
import type { FormNode, UnionBranch } from './form-node.ts'
import { type FormPlanner, fitsNode } from './form-schema.ts'

/** Maximum depth of the comparison in a value. */
const maxDepth = 3
/** Maximum steps; the comparison then stops with its result so far. */
const maxSteps = 3000
/** Maximum nested unions to search before a branch counts as one that holds the value. */
const maxUnions = 100

/** Returns the index of the branch that fits best; 0 if none fits. */
export function bestBranch(planner: FormPlanner, branches: readonly UnionBranch[], value: Json): number {
  const budget = { steps: maxSteps }
  let best = 0
  let bestScore = Number.NEGATIVE_INFINITY
  branches.forEach((branch, index) => {
    const score = fit(planner, planner.plan(branch.schema), value, 0, budget)
    if (score > bestScore) {
      best = index
      bestScore = score
    }
  })
  return best
}

/** Returns whether the branch can hold a value of this kind. */
export function branchHolds(planner: FormPlanner, branch: UnionBranch, value: Json): boolean {
  return nodeHolds(planner, planner.plan(branch.schema), value)
}

/** Does the same as `fitsNode`; for a union, one branch must fit. */
export function nodeHolds(
  planner: FormPlanner,
  node: FormNode,
  value: Json,
  budget = { steps: maxUnions },
): boolean {
  if (!fitsNode(node, value) || node.kind !== 'union' || (value === null && node.nullable))
    return fitsNode(node, value)
  if (budget.steps-- <= 0) return true
  return node.branches.some(branch => nodeHolds(planner, planner.plan(branch.schema), value, budget))
}

const wrongType = -1000

/** A higher score is closer. Keys with a fixed value in the branch count most, then required keys, then known ones. */
function fit(
  planner: FormPlanner,
  node: FormNode,
  value: Json,
  depth: number,
  budget: { steps: number },
): number {
  if (budget.steps-- <= 0) return 0
  if (value === null && node.nullable) return 5
  if (!fitsNode(node, value)) return wrongType
  switch (node.kind) {
    case 'const':
      return jsonEquals(node.value, value) ? 100 : -500
    case 'enum':
      return node.options.some(option => jsonEquals(option.value, value)) ? 50 : -300
    case 'number':
      return numberFit(node.integer, node.schema, value)
    case 'string':
      return typeof value === 'string' ? stringFit(node.schema, value) : wrongType
    case 'union': {
      if (depth >= maxDepth) return 0
      const scores = node.branches.map(branch =>
        fit(planner, planner.plan(branch.schema), value, depth + 1, budget),
      )
      return scores.reduce((high, score) => Math.max(high, score), wrongType)
    }
    case 'array': {
      if (!Array.isArray(value) || depth >= maxDepth) return 5
      const lengthFits = value.length >= node.minItems && value.length <= node.maxItems
      const sample = value.slice(0, 5).map((item, index) => {
        const schema = node.prefix[index] ?? node.items
        return fit(planner, planner.plan(schema), item as Json, depth + 1, budget)
      })
      return 5 + (lengthFits ? 0 : -50) + sample.reduce((sum, score) => sum + score / 5, 0)
    }
    case 'object':
      return isObject(value) ? objectFit(planner, node, value, depth, budget) : wrongType
    case 'any':
      return 1
    default:
      return 5
  }
}

function objectFit(
  planner: FormPlanner,
  node: Extract<FormNode, { kind: 'object' }>,
  value: { readonly [key: string]: Json },
  depth: number,
  budget: { steps: number },
): number {
  let score = 5
  const known = new Set<string>()
  for (const property of node.properties) {
    known.add(property.name)
    if (!Object.hasOwn(value, property.name)) {
      if (property.required) score -= 20
      continue
    }
    score += property.required ? 6 : 3
    if (depth >= maxDepth) continue
    const inner = fit(planner, planner.plan(property.schema), value[property.name] as Json, depth + 1, budget)
    score += Math.max(-200, Math.min(100, inner)) / (inner < 0 ? 2 : 4)
  }
  const strange = Object.keys(value).filter(key => !known.has(key)).length
  return score - strange * (node.additional === false ? 30 : 1)
}

function numberFit(integer: boolean, schema: { readonly [keyword: string]: unknown }, value: Json): number {
  if (!isJsonNumber(value)) return wrongType
  const number = Number(numberText(value))
  const { minimum, maximum } = schema
  const inRange =
    (typeof minimum !== 'number' || number >= minimum) && (typeof maximum !== 'number' || number <= maximum)
  if (integer && !Number.isInteger(number)) return wrongType
  return (integer ? 8 : 6) + (inRange ? 0 : -50)
}

function stringFit(schema: { readonly [keyword: string]: unknown }, value: string): number {
  const { minLength, maxLength, format } = schema
  if (typeof minLength === 'number' && value.length < minLength) return -50
  if (typeof maxLength === 'number' && value.length > maxLength) return -50
  if (typeof format === 'string' && Object.hasOwn(looksLike, format))
    return looksLike[format]?.test(value) ? 12 : -20
  return 5
}

/** Cheap checks for the formats that distinguish branches. */
const looksLike: Readonly<Record<string, RegExp>> = {
  date: /^\d{4}-\d\d-\d\d$/,
  'date-time': /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/i,
  time: /^\d\d:\d\d/,
  uri: /^[a-z][a-z0-9+.-]*:/i,
  email: /^[^@\s]+@[^@\s]+$/,
  uuid: /^[0-9a-f]{8}-[0-9a-f]{4}-/i,
  ipv4: /^\d+\.\d+\.\d+\.\d+$/,
  ipv6: /^[0-9a-f:]*:[0-9a-f:.]*$/i,
}
