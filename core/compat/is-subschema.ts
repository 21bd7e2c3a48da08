/**
 * Is every value that schema A accepts accepted by schema B? Proved, refuted with a value, or unknown with a reason:
 * never a guess. Pure: no input or output, nothing kept but analysed patterns.
 */
import { checkSchema, dialectsOf } from './check-schema.ts'
import { Compiler } from './compile.ts'
import { closeDeclared } from './declared.ts'
import type { Dialect } from './dialect.ts'
import { Evaluator } from './evaluate.ts'
import type { Failure } from './failure.ts'
import { Judge } from './holds.ts'
import { Budget, defaultLimits, type Limits, OutOfBudget, Undecided } from './limits.ts'
import { loadMetaSchemas, metaSchemas } from './meta-schemas.ts'
import { loadPatterns, Patterns } from './pattern.ts'
import { Registry } from './registry.ts'
import { shrink } from './shrink.ts'
import { type Closure, Solver } from './solver.ts'
import { Terms } from './terms.ts'
import { TextSearch } from './text-search.ts'
import { canonicalText } from './values.ts'

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
  /** `declared`: callers send only properties that the schemas declare. `strict` otherwise. */
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
  const declared = options.mode === 'declared'
  const dialects = dialectsOf([a, b], options.dialect)
  const sides = [a, b].map((schema, index) => ({
    schema: declared ? closeDeclared(schema) : schema,
    dialect: dialects[index] ?? '2020-12',
  }))
  for (const [index, { schema, dialect }] of sides.entries()) {
    const problem = checkSchema(schema, dialect)
    if (problem) return { verdict: 'invalid', side: index === 0 ? 'a' : 'b', ...problem }
  }
  const [left, right] = sides
  if (!left || !right) throw new Undecided('two schemas are needed')
  if (left.dialect === right.dialect && canonicalText(left.schema) === canonicalText(right.schema))
    return { verdict: 'proved', derivation: { method: 'same schema', closures: [], cycles: 0 } }
  return search(
    new Registry(left.schema, left.dialect, metaSchemas(), 0),
    new Registry(right.schema, right.dialect, metaSchemas(), 1),
    budget,
  )
}

function search(a: Registry, b: Registry, budget: Budget): Verdict {
  if (patterns.languages.size > maximumKept) patterns = new Patterns()
  const terms = new Terms()
  const text = new TextSearch(patterns.languages, budget)
  const judge = new Judge(patterns, text, budget)
  const solver = new Solver({ terms, budget, patterns, search: text, judge })
  const inA = new Compiler(terms, a, budget).root()
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
  return refuted(result.value, checkA, checkB)
}

function refuted(found: unknown, a: Evaluator, b: Evaluator): Verdict {
  const isWitness = (value: unknown) => {
    try {
      return a.check(value) === undefined && b.check(value) !== undefined
    } catch (error) {
      if (error instanceof Undecided) return false
      throw error
    }
  }
  const witness = isWitness(found) ? shrink(found, isWitness) : found
  const error = a.check(witness) === undefined ? b.check(witness) : undefined
  if (!error)
    return { verdict: 'unknown', reason: 'a counterexample did not stand up to validation', path: '' }
  return { verdict: 'refuted', witness, path: error.path, error }
}
