/**
 * Is every value that schema A accepts accepted by schema B? Proved, refuted with a value, or unknown with a reason:
 * never a guess. Pure: no input or output, nothing kept but analysed patterns.
 */
import { checkSchema, dialectsOf } from './check-schema.ts'
import { Compiler } from './compile.ts'
import type { Dialect } from './dialect.ts'
import { Evaluator } from './evaluate.ts'
import type { Failure } from './failure.ts'
import { Judge } from './holds.ts'
import { Budget, defaultLimits, type Limits, OutOfBudget, Undecided } from './limits.ts'
import { loadMetaSchemas, metaSchemas } from './meta-schemas.ts'
import { loadPatterns, Patterns } from './pattern.ts'
import { Registry } from './registry.ts'
import { keepFormats, shrink } from './shrink.ts'
import { type Closure, Solver } from './solver.ts'
import { Terms } from './terms.ts'
import { TextSearch } from './text-search.ts'
import { canonicalText, countParts } from './values.ts'

export interface Derivation {
  /** How it was shown: the schemas are the same, or every way to break B was tried and closed. */
  readonly method: 'same schema' | 'exhausted'
  /** The places where the search closed, the first 200. */
  readonly closures: readonly Closure[]
  /** Recursive schemas that closed because a counterexample would have to contain a smaller one. */
  readonly cycles: number
}

export type Verdict =
  | { readonly verdict: 'proved'; readonly derivation: Derivation }
  /** `witness` is valid for A and not for B; `path` and `error` say where and why B refuses it. */
  | { readonly verdict: 'refuted'; readonly witness: unknown; readonly path: string; readonly error: Failure }
  | { readonly verdict: 'unknown'; readonly reason: string; readonly path: string }
  /** One of them is no schema of its dialect. */
  | { readonly verdict: 'invalid'; readonly side: 'a' | 'b'; readonly reason: string; readonly path: string }

export interface Options {
  /** `declared`: whoever follows A sends only properties that A declares; B stays as it is. Otherwise `strict`. */
  readonly mode?: 'strict' | 'declared'
  /** For schemas without `$schema`. */
  readonly dialect?: Dialect
  readonly limits?: Partial<Limits>
}

/** Loads what only some schemas need: the pattern parser and the meta-schemas. Without it those stay unknown. */
export async function loadCompat(): Promise<void> {
  await Promise.all([loadPatterns(), loadMetaSchemas()])
}

/** Analysed patterns are kept between questions, until there are too many. */
let patterns = new Patterns()
const maximumKept = 150_000

/** Values inside two schemas beyond which a question is not begun: it could not be answered in time. */
const maximumParts = 40_000

/** Numbers may be plain, bigint or lossless-json's. Neither schema is changed. Never throws. */
export function isSubschema(a: unknown, b: unknown, options: Options = {}): Verdict {
  try {
    return decide(a, b, options)
  } catch (error) {
    if (error instanceof Undecided) return { verdict: 'unknown', reason: error.message, path: '' }
    if (error instanceof OutOfBudget)
      return { verdict: 'unknown', reason: `gave up: ${error.message}`, path: '' }
    // The stack overflows on values nested tens of thousands deep, before any limit of ours is looked at.
    if (error instanceof RangeError)
      return { verdict: 'unknown', reason: 'the schema is nested too deep', path: '' }
    throw error
  }
}

function decide(a: unknown, b: unknown, options: Options): Verdict {
  const budget = new Budget({ ...defaultLimits, ...options.limits })
  if (countParts([a, b], maximumParts) > maximumParts) throw new Undecided('the schemas are too large')
  const [dialectA = '2020-12', dialectB = '2020-12'] = dialectsOf([a, b], options.dialect)
  const problemA = checkSchema(a, dialectA)
  if (problemA) return { verdict: 'invalid', side: 'a', ...problemA }
  const problemB = checkSchema(b, dialectB)
  if (problemB) return { verdict: 'invalid', side: 'b', ...problemB }
  if (dialectA === dialectB && canonicalText(a) === canonicalText(b))
    return { verdict: 'proved', derivation: { method: 'same schema', closures: [], cycles: 0 } }
  const others = metaSchemas()
  return search(
    new Registry(a, dialectA, others, 0),
    new Registry(b, dialectB, others, 1),
    budget,
    options.mode === 'declared',
  )
}

function search(a: Registry, b: Registry, budget: Budget, declared: boolean): Verdict {
  if (patterns.languages.size > maximumKept) patterns = new Patterns()
  const terms = new Terms()
  const text = new TextSearch(patterns.languages, budget)
  const judge = new Judge(patterns, text, budget)
  const solver = new Solver({ terms, budget, patterns, search: text, judge })
  const inA = new Compiler(terms, a, budget, declared).root()
  const inB = new Compiler(terms, b, budget).root()
  const result = solver.solve(terms.and([inA, terms.negate(inB)]))
  if (result.kind === 'unknown') return { verdict: 'unknown', reason: result.reason, path: result.path }
  if (result.kind === 'empty')
    return {
      verdict: 'proved',
      derivation: { method: 'exhausted', closures: solver.closures, cycles: solver.cycles },
    }
  const matches = (pattern: string, value: string) => judge.matches(pattern, value)
  const checkA = new Evaluator(a, matches, budget)
  const checkB = new Evaluator(b, matches, budget)
  const isDeclared = (value: unknown) => !declared || judge.holds(inA, value)
  return refuted(result.value, checkA, checkB, isDeclared)
}

/** Checks the value that was found against the schemas themselves, makes it smaller, and says why B refuses it. */
function refuted(
  found: unknown,
  a: Evaluator,
  b: Evaluator,
  isDeclared: (value: unknown) => boolean,
): Verdict {
  const isWitness = (value: unknown) => {
    try {
      return isDeclared(value) && a.check(value) === undefined && b.check(value) !== undefined
    } catch (error) {
      if (error instanceof Undecided) return false
      throw error
    }
  }
  const small = isWitness(found) ? shrink(found, isWitness) : found
  const witness = keepFormats(small, a.formats, isWitness)
  const error = a.check(witness) === undefined ? b.check(witness) : undefined
  if (!error)
    return { verdict: 'unknown', reason: 'a counterexample did not stand up to validation', path: '' }
  return { verdict: 'refuted', witness, path: error.path, error }
}
