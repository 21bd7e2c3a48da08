/** From a value that the search found to a refutation that anybody can check. */

import { SchemaEvaluator } from './evaluate.ts'
import type { Failure } from './failure.ts'
import { type Budget, OutOfBudget, Undecided } from './limits.ts'
import type { Patterns } from './pattern.ts'
import type { Registry } from './registry.ts'
import { keepFormats, shrink } from './shrink.ts'
import type { Term } from './term.ts'
import { TermChecker } from './term-checker.ts'
import { TextSearch } from './text-search.ts'

export interface Refuted {
  readonly verdict: 'refuted'
  /** Valid for A, not valid for B. */
  readonly witness: unknown
  /** JSON Pointer to the place in the witness that B refuses. */
  readonly path: string
  readonly error: Failure
}

export interface Documents {
  readonly a: Registry
  readonly b: Registry
  /** A witness fits all of these. */
  readonly also: readonly Registry[]
  /** A witness fits none of these. */
  readonly or: readonly Registry[]
}

interface Subject extends Documents {
  readonly patterns: Patterns
  readonly budget: Budget
  /** What a witness must satisfy beyond A. */
  readonly declared: Term | undefined
}

/** Steps for checking a witness and for making it smaller, beyond those for the search. */
const checkSteps = 100_000
const shrinkSteps = 50_000

/** @returns unknown when the value fails the check. @throws OutOfBudget, Undecided */
export function refute(
  found: unknown,
  about: Subject,
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

/** Why B refuses a value that A accepts; undefined where it is no witness. */
function checks(about: Subject): {
  readonly failure: (value: unknown) => Failure | undefined
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
  const evaluatorOf = (registry: Registry) => new SchemaEvaluator(registry, options)
  const a = evaluatorOf(about.a)
  const b = evaluatorOf(about.b)
  const also = about.also.map(evaluatorOf)
  const or = about.or.map(evaluatorOf)
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
