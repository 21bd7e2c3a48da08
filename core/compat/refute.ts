/** From a value that the search found to a refutation that anybody can check. */
import { Evaluator } from './evaluate.ts'
import type { Failure } from './failure.ts'
import { Judge } from './holds.ts'
import { Budget, type Limits, OutOfBudget, Undecided } from './limits.ts'
import type { Patterns } from './pattern.ts'
import type { Registry } from './registry.ts'
import { keepFormats, shrink } from './shrink.ts'
import type { Term } from './term.ts'
import { TextSearch } from './text-search.ts'

export interface Refuted {
  readonly verdict: 'refuted'
  /** Valid for A, not valid for B. */
  readonly witness: unknown
  /** JSON Pointer to the place in the witness that B refuses. */
  readonly path: string
  readonly error: Failure
}

/** Milliseconds for checking and shrinking, beyond those for the search. */
const checkMilliseconds = 80

/** @param about.declared what the witness must satisfy beyond A. @returns unknown when the value fails the check. */
export function refute(
  found: unknown,
  about: {
    a: Registry
    b: Registry
    patterns: Patterns
    limits: Limits
    declared: Term | undefined
  },
): Refuted | { readonly verdict: 'unknown'; readonly reason: string; readonly path: string } {
  const budget = new Budget({ ...about.limits, milliseconds: checkMilliseconds })
  const judge = new Judge(about.patterns, new TextSearch(about.patterns.languages, budget), budget)
  const matches = (pattern: string, text: string) => judge.matches(pattern, text)
  const a = new Evaluator(about.a, matches, budget)
  const b = new Evaluator(about.b, matches, budget)
  const { declared } = about
  const isWitness = (value: unknown) => {
    try {
      const isDeclared = !declared || judge.holds(declared, value)
      return isDeclared && a.check(value) === undefined && b.check(value) !== undefined
    } catch (error) {
      if (error instanceof Undecided || error instanceof OutOfBudget) return false
      throw error
    }
  }
  let error = a.check(found) === undefined ? b.check(found) : undefined
  if (!error)
    return { verdict: 'unknown', reason: 'a counterexample did not stand up to validation', path: '' }
  let witness = found
  const smaller = keepFormats(shrink(found, isWitness), a.formats, isWitness)
  if (smaller !== found) {
    const smallerError = new Evaluator(about.b, matches, new Budget(about.limits)).check(smaller)
    if (smallerError) {
      witness = smaller
      error = smallerError
    }
  }
  return { verdict: 'refuted', witness, path: error.path, error }
}
