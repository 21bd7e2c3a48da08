/** Turns a value that the search found into a refutation that a validator confirms. */

import { isObject } from '../json/json.ts'
import { pointerStep } from '../json/pointer.ts'
import { SchemaEvaluator } from './evaluate.ts'
import type { Patterns } from './pattern.ts'
import { type Budget, OutOfBudget, Undecided } from './proof-limits.ts'
import type { Registry } from './registry.ts'
import type { SchemaFailure } from './schema-failure.ts'
import { TextSearch } from './shortest-text.ts'
import type { Term } from './term.ts'
import { TermChecker } from './term-checker.ts'

export interface Refuted {
  readonly verdict: 'refuted'
  /** Valid for A, invalid for B. */
  readonly witness: unknown
  /** JSON Pointer to the part of the witness that B refuses. */
  readonly path: string
  readonly error: SchemaFailure
}

export interface Documents {
  readonly a: Registry
  readonly b: Registry
  /** A witness matches all of these. */
  readonly also: readonly Registry[]
  /** A witness matches none of these. */
  readonly or: readonly Registry[]
}

interface RefuteSubject extends Documents {
  readonly patterns: Patterns
  readonly budget: Budget
  /** The condition on a witness in addition to A. */
  readonly declared: Term | undefined
}

/** Steps for checking and shrinking a witness, in addition to those of the search. */
const checkSteps = 100_000
const shrinkSteps = 50_000

/** @returns unknown if the value fails the check. @throws OutOfBudget, Undecided */
export function refute(
  found: unknown,
  about: RefuteSubject,
): Refuted | { readonly verdict: 'unknown'; readonly reason: string; readonly path: string } {
  const { budget } = about
  const { failure, formats } = checks(about)
  budget.renew(checkSteps)
  let error = failure(found)
  if (!error)
    return { verdict: 'unknown', reason: 'a counterexample did not stand up to validation', path: '' }
  let witness = found
  budget.renew(shrinkSteps)
  const isWitness = (value: unknown) => {
    try {
      return failure(value) !== undefined
    } catch (thrown) {
      if (thrown instanceof Undecided || thrown instanceof OutOfBudget) return false
      throw thrown
    }
  }
  const small = shrink(found, isWitness)
  const smaller = keepFormats(small, formats, isWitness)
  if (smaller !== found) {
    budget.renew(checkSteps)
    const smallerError = failure(smaller)
    if (smallerError) {
      witness = smaller
      error = smallerError
    }
  }
  return { verdict: 'refuted', witness, path: error.path, error }
}

/** Returns why B refuses a value that A accepts; undefined if the value is not a witness. */
function checks(about: RefuteSubject): {
  readonly failure: (value: unknown) => SchemaFailure | undefined
  readonly formats: ReadonlyMap<string, string>
} {
  const { budget } = about
  const checker = new TermChecker(about.patterns, new TextSearch(about.patterns.languages, budget), budget)
  const matches = (pattern: string, text: string) => checker.matches(pattern, text)
  const options = {
    matches,
    step: (cost: number) => budget.step(cost),
    firstOnly: true,
    maxDepth: budget.limits.depth * 4,
  }
  const createEvaluator = (registry: Registry) => new SchemaEvaluator(registry, options)
  const a = createEvaluator(about.a)
  const b = createEvaluator(about.b)
  const also = about.also.map(createEvaluator)
  const or = about.or.map(createEvaluator)
  const { declared } = about
  const fits = (evaluator: SchemaEvaluator, value: unknown) => evaluator.check(value).length === 0
  const failure = (value: unknown) => {
    if (declared && !checker.satisfies(declared, value)) return undefined
    if (![a, ...also].every(evaluator => fits(evaluator, value))) return undefined
    const [refusal] = b.check(value)
    return refusal !== undefined && !or.some(evaluator => fits(evaluator, value)) ? refusal : undefined
  }
  return { failure, formats: a.formats }
}

/* Shrinks a witness as long as it stays one. */

const maxChecks = 150

/** @param isWitness must not throw */
function shrink(witness: unknown, isWitness: (value: unknown) => boolean): unknown {
  let checks = 0
  let current = witness
  for (;;) {
    let smaller: unknown
    for (const candidate of smallerThan(current)) {
      checks += 1
      if (checks > maxChecks) return current
      if (!isWitness(candidate)) continue
      smaller = candidate
      break
    }
    if (smaller === undefined) return current
    current = smaller
  }
}

/** Returns values with one part removed or shrunk, the largest steps first. */
function* smallerThan(value: unknown, depth = 0): Generator<unknown> {
  if (depth > 8) return
  if (typeof value === 'string' && value.length > 1) yield value.slice(0, 1)
  if (Array.isArray(value)) {
    for (const index of value.keys()) yield value.toSpliced(index, 1)
    for (const [index, item] of value.entries())
      for (const smaller of smallerThan(item, depth + 1)) yield value.with(index, smaller)
  }
  if (!isObject(value)) return
  const entries = Object.entries(value)
  for (const index of entries.keys()) yield Object.fromEntries(entries.toSpliced(index, 1))
  for (const [index, [name, item]] of entries.entries())
    for (const smaller of smallerThan(item, depth + 1))
      yield Object.fromEntries(entries.with(index, [name, smaller]))
}

/** Gives texts the form of their `format` if the value stays a witness. @param formats by JSON Pointer */
function keepFormats(
  witness: unknown,
  formats: ReadonlyMap<string, string>,
  isWitness: (value: unknown) => boolean,
): unknown {
  let current = witness
  for (const [path, format] of [...formats].slice(0, 50)) {
    const sample = findFormatSample(format)
    if (sample === undefined) continue
    const changed = replaceText(current, path, sample)
    if (changed !== current && isWitness(changed)) current = changed
  }
  return current
}

/** @returns the value itself if the path does not lead to a text */
function replaceText(value: unknown, path: string, text: string): unknown {
  if (path === '') return typeof value === 'string' ? text : value
  const entries: [string | number, unknown][] = Array.isArray(value)
    ? [...value.entries()]
    : isObject(value)
      ? Object.entries(value)
      : []
  const at = entries.findIndex(
    ([key]) => path === pointerStep(key) || path.startsWith(`${pointerStep(key)}/`),
  )
  const entry = entries[at]
  if (!entry) return value
  const [key, inner] = entry
  const changed = replaceText(inner, path.slice(pointerStep(key).length), text)
  if (changed === inner) return value
  if (Array.isArray(value)) return value.with(at, changed)
  return Object.fromEntries(Object.entries(value as object).with(at, [String(key), changed]))
}

/**
 * Texts of the common formats. `format` is an annotation here, but servers may check it: a witness with valid formats
 * can be tried on any server.
 */
const samples: ReadonlyMap<string, string> = new Map([
  ['date', '2026-01-31'],
  ['date-time', '2026-01-31T12:00:00Z'],
  ['duration', 'P1D'],
  ['email', 'ada@example.com'],
  ['hostname', 'example.com'],
  ['idn-email', 'ada@example.com'],
  ['idn-hostname', 'example.com'],
  ['ipv4', '192.0.2.1'],
  ['ipv6', '2001:db8::1'],
  ['iri', 'https://example.com/'],
  ['iri-reference', '/a'],
  ['json-pointer', '/a'],
  ['regex', 'a'],
  ['relative-json-pointer', '0'],
  ['time', '12:00:00Z'],
  ['uri', 'https://example.com/'],
  ['uri-reference', '/a'],
  ['uri-template', 'https://example.com/{a}'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
])

function findFormatSample(format: string): string | undefined {
  return samples.get(format)
}
