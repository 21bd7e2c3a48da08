/** From the validator's flat list of findings to the few that help: each at its place, of unions only the branch that was meant. */
import type { OutputUnit } from '@cfworker/json-schema'
import type { ValidationIssue } from '../call/invocation.ts'
import { isObject, type Json } from '../json/json.ts'
import { pointerSegments, toPointer, valueAt } from '../json/pointer.ts'
import { resolveRef } from '../json-schema/schema-document.ts'
import type { JsonSchema } from '../tool/tool.ts'
import { issueMessage } from './issue-message.ts'

/** Findings that only say that a finding below them exists. */
const wrappers = new Set([
  '$ref',
  '$recursiveRef',
  'allOf',
  'if',
  'properties',
  'patternProperties',
  'additionalProperties',
  'unevaluatedProperties',
  'dependentSchemas',
  'items',
  'prefixItems',
  'additionalItems',
  'unevaluatedItems',
])

/** The issues of one value, without repeats, in the order of the schema. */
export function issuesOf(units: readonly OutputUnit[], root: JsonSchema, value: Json): ValidationIssue[] {
  const issues = new Map<string, ValidationIssue>()
  for (const unit of chosen(units)) {
    const issue = issueOf(unit, root, value)
    const key = `${issue.path} ${issue.message}`
    if (!issues.has(key)) issues.set(key, issue)
  }
  return [...issues.values()]
}

/** Drops wrappers, and of each failed union all branches but the closest. */
function chosen(units: readonly OutputUnit[]): OutputUnit[] {
  const kept: OutputUnit[] = []
  for (let index = 0; index < units.length; index++) {
    const unit = units[index] as OutputUnit
    if (unit.keyword === 'anyOf' || unit.keyword === 'oneOf') {
      const below = branchUnits(units, index)
      index += below.length
      kept.push(...closestBranch(unit, below))
    } else if (unit.keyword === 'propertyNames') {
      kept.push(unit)
      index += countWhile(units, index + 1, next => next.keywordLocation.startsWith(unit.keywordLocation))
    } else if (!isWrapper(unit, units[index + 1])) kept.push(unit)
  }
  return kept
}

/** `dependencies` wraps findings when it holds a schema, and is a finding itself when it lists keys. */
function isWrapper(unit: OutputUnit, next: OutputUnit | undefined): boolean {
  if (unit.keyword === 'dependencies')
    return next?.keywordLocation.startsWith(`${unit.keywordLocation}/`) ?? false
  return wrappers.has(unit.keyword)
}

function branchUnits(units: readonly OutputUnit[], index: number): OutputUnit[] {
  const location = `${units[index]?.keywordLocation}/`
  const length = countWhile(
    units,
    index + 1,
    next => next.keywordLocation.startsWith(location) || next.keyword === 'false',
  )
  return units.slice(index + 1, index + 1 + length)
}

function countWhile(
  units: readonly OutputUnit[],
  start: number,
  test: (unit: OutputUnit) => boolean,
): number {
  let end = start
  while (end < units.length && test(units[end] as OutputUnit)) end++
  return end - start
}

function closestBranch(union: OutputUnit, below: readonly OutputUnit[]): OutputUnit[] {
  const branches = new Map<string, OutputUnit[]>()
  let current = ''
  for (const unit of below) {
    const rest = unit.keywordLocation.slice(union.keywordLocation.length + 1)
    if (unit.keywordLocation.startsWith(`${union.keywordLocation}/`)) current = rest.split('/')[0] ?? ''
    branches.set(current, [...(branches.get(current) ?? []), unit])
  }
  const candidates = [...branches.values()].filter(
    units => !units.some(unit => isMismatch(unit, union.instanceLocation)),
  )
  if (candidates.length === 0) return [union]
  const ranked = candidates.map(units => ({ units: chosen(units), weight: weigh(units) }))
  ranked.sort((left, right) => left.weight - right.weight)
  const [best] = ranked
  if (!best || (ranked.length > 1 && best.units.length > 6)) return [union]
  return best.units
}

/** The value is of another kind altogether: this branch was not meant. */
function isMismatch(unit: OutputUnit, location: string): boolean {
  return unit.instanceLocation === location && ['type', 'const', 'enum', 'false'].includes(unit.keyword)
}

/** A wrong fixed value speaks against a branch more than anything missing in it. */
function weigh(units: readonly OutputUnit[]): number {
  return units.reduce((sum, unit) => {
    if (unit.keyword === 'const') return sum + 10
    return sum + (unit.keyword === 'false' ? 3 : wrappers.has(unit.keyword) ? 0 : 2)
  }, 0)
}

function issueOf(unit: OutputUnit, root: JsonSchema, value: Json): ValidationIssue {
  const segments = pointerSegments(decode(unit.instanceLocation))
  const missing = missingKey(unit)
  const at = missing === null ? segments : [...segments, missing]
  const found = valueAt(value, at) as Json | undefined
  const limit = keywordValue(unit, root)
  const shared = {
    path: toPointer(at),
    keyword: unit.keyword,
    message: wordsOf(unit, limit, found, value, segments),
  }
  return {
    ...shared,
    ...(limit !== undefined && { expected: shorten(limit) }),
    ...(found !== undefined && { actual: shorten(found) }),
  }
}

function wordsOf(
  unit: OutputUnit,
  limit: unknown,
  found: Json | undefined,
  value: Json,
  segments: readonly string[],
): string {
  if (unit.keyword === 'dependentRequired' || unit.keyword === 'dependencies') {
    const key = /^Instance has "(.*)" but does not have /s.exec(unit.error)?.[1]
    return `is required because ${key} is set`
  }
  if (unit.keyword === 'propertyNames') {
    const key = /^Property name "(.*)" does not match schema\.$/s.exec(unit.error)?.[1]
    const holder = valueAt(value, segments)
    return isObject(holder) && key !== undefined
      ? `the key “${key}” is not allowed here`
      : issueMessage(unit.keyword, limit, found)
  }
  return issueMessage(unit.keyword, limit, found)
}

/** Issues of a missing key belong to the key's own place. */
function missingKey(unit: OutputUnit): string | null {
  if (unit.keyword === 'required')
    return /^Instance does not have required property "(.*)"\.$/s.exec(unit.error)?.[1] ?? null
  if (unit.keyword === 'dependentRequired' || unit.keyword === 'dependencies')
    return /but does not have "(.*)"\.$/s.exec(unit.error)?.[1] ?? null
  return null
}

/** What the schema says at the finding's keyword; follows the references in its location. */
function keywordValue(unit: OutputUnit, root: JsonSchema): unknown {
  if (unit.keyword === 'false') return undefined
  let current: unknown = root
  for (const segment of pointerSegments(decode(unit.keywordLocation))) {
    if (segment === '$ref' && isObject(current) && typeof current.$ref === 'string')
      current = resolveRef(root, current.$ref)
    else if (typeof current !== 'object' || current === null || !Object.hasOwn(current, segment))
      return undefined
    else current = (current as Record<string, unknown>)[segment]
  }
  return current
}

function shorten(value: unknown): string {
  const text = JSON.stringify(value) ?? ''
  return text.length > 200 ? `${text.slice(0, 200)}…` : text
}

function decode(location: string): string {
  try {
    return decodeURIComponent(location)
  } catch {
    return location
  }
}
