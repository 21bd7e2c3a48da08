/**
 * Decides whether schema B accepts every value that schema A accepts: proved, refuted with a value, or unknown with a
 * reason; it never guesses. Pure: no input or output, and only analysed patterns are cached.
 */

import { jsonEquals } from '../json/equality.ts'
import { detectDialect, statedDialect } from '../schema/dialect.ts'
import type { Dialect } from '../schema/keywords.ts'
import { checkSchema } from './check-schema.ts'
import { SchemaCompiler } from './compile.ts'
import { SchemaEvaluator } from './evaluate.ts'
import { loadMetaSchemas, metaSchemas } from './meta-schemas.ts'
import { requireSmallJson } from './numbers.ts'
import { loadPatterns, Patterns } from './pattern.ts'
import { Budget, defaultProofLimits, OutOfBudget, type ProofLimits, Undecided } from './proof-limits.ts'
import { type Documents, type Refuted, refute } from './refute.ts'
import { Registry } from './registry.ts'
import type { Closure } from './result.ts'
import type { SchemaFailure } from './schema-failure.ts'
import { TextSearch } from './shortest-text.ts'
import { TermSolver } from './solver.ts'
import { TermChecker } from './term-checker.ts'
import { Terms } from './terms.ts'

export interface Derivation {
  /** The method: the schemas are the same, or every way to break B was tried and closed. */
  readonly method: 'same schema' | 'exhausted'
  /** The locations at which the search closed, the first 200. */
  readonly closures: readonly Closure[]
  /** Recursive schemas that closed because a counterexample would have to contain a smaller one. */
  readonly cycles: number
}

export type SubschemaVerdict =
  | { readonly verdict: 'proved'; readonly derivation: Derivation }
  | Refuted
  | { readonly verdict: 'unknown'; readonly reason: string; readonly path: string }
  /** One of them is not a valid schema of its dialect. */
  | { readonly verdict: 'invalid'; readonly side: 'a' | 'b'; readonly reason: string; readonly path: string }

export interface SubschemaOptions {
  /** `declared`: senders of A send only properties that A declares; B is unchanged. `strict` by default. */
  readonly mode?: 'strict' | 'declared'
  /** Schemas that a value of A must also match. They declare no properties. */
  readonly alsoFits?: readonly unknown[]
  /** Schemas that may accept a value instead of B: a counterexample matches none of them. */
  readonly orFits?: readonly unknown[]
  /** For schemas without `$schema`. */
  readonly dialect?: Dialect
  readonly limits?: Partial<ProofLimits>
  /** Steps that several questions share: this question uses no more than the remaining ones. */
  readonly shared?: Budget
}

/** Loads the pattern parser and the meta-schemas. Schemas that need them stay unknown without this call. */
export async function loadCompat(): Promise<void> {
  await Promise.all([loadPatterns(), loadMetaSchemas()])
}

/** Does the same as `loadCompat`, but only if one of these values holds a schema that needs the megabyte of code. */
export async function loadCompatFor(...values: readonly unknown[]): Promise<void> {
  const waiting = [...values]
  while (waiting.length > 0) {
    const value = waiting.pop()
    if (typeof value !== 'object' || value === null) continue
    for (const [key, inner] of Object.entries(value)) {
      if (key === 'pattern' || key === 'patternProperties' || isMetaReference(key, inner)) return loadCompat()
      waiting.push(inner)
    }
  }
}

const isMetaReference = (key: string, value: unknown) =>
  /^\$?id$|ref$/i.test(key) && typeof value === 'string' && value.includes('//json-schema.org/')

/** Analysed patterns are cached between questions, up to a maximum. */
let patterns = new Patterns()
const maxLanguages = 150_000

/** Numbers may be plain, bigint or from lossless-json. Changes neither schema. Never throws. */
export function isSubschema(a: unknown, b: unknown, options: SubschemaOptions = {}): SubschemaVerdict {
  const { shared } = options
  const limits = { ...defaultProofLimits, ...options.limits }
  const budget = new Budget(shared ? { ...limits, steps: Math.min(limits.steps, shared.left) } : limits)
  try {
    const wasEmpty = patterns.isEmpty
    const verdict = decide(a, b, options, budget)
    if (!patterns.isFull || wasEmpty) return verdict
    // A cache that other questions filled must not affect this answer.
    patterns = new Patterns()
    budget.renew(budget.limits.steps)
    return decide(a, b, options, budget)
  } catch (error) {
    if (error instanceof Undecided) return { verdict: 'unknown', reason: error.message, path: '' }
    if (error instanceof OutOfBudget)
      return { verdict: 'unknown', reason: `gave up: ${error.message}`, path: '' }
    // The stack overflows on values nested tens of thousands deep before one of our limits is checked.
    if (error instanceof RangeError)
      return { verdict: 'unknown', reason: 'the schema is nested too deep', path: '' }
    throw error
  } finally {
    if (shared) shared.used += budget.used
  }
}

/**
 * Returns why a schema refuses a value, by the validator that checks every witness; `null` if it accepts the value, and
 * `undefined` if undecided. Much cheaper than a question about `{const: value}`. Never throws.
 *
 * @param shared the budget for the steps
 */
export function findFailure(
  value: unknown,
  schema: unknown,
  shared: Budget,
): SchemaFailure | null | undefined {
  try {
    const text = new TextSearch(patterns.languages, shared)
    const checker = new TermChecker(patterns, text, shared)
    const registry = new Registry(schema, dialectIn(schema, {}), metaSchemas(), 0)
    shared.step(registry.size)
    const evaluator = new SchemaEvaluator(registry, {
      matches: (pattern, subject) => checker.matches(pattern, subject),
      step: cost => shared.step(cost),
      firstOnly: true,
      maxDepth: defaultProofLimits.depth * 4,
    })
    return evaluator.check(value)[0] ?? null
  } catch (thrown) {
    const isKnown =
      thrown instanceof Undecided || thrown instanceof OutOfBudget || thrown instanceof RangeError
    if (isKnown) return undefined
    throw thrown
  }
}

function decide(a: unknown, b: unknown, options: SubschemaOptions, budget: Budget): SubschemaVerdict {
  requireSmallJson([a, b])
  const [dialectA, dialectB] = [dialectIn(a, options), dialectIn(b, options)]
  const problemA = checkSchema(a, dialectA)
  if (problemA) return { verdict: 'invalid', side: 'a', ...problemA }
  const problemB = checkSchema(b, dialectB)
  if (problemB) return { verdict: 'invalid', side: 'b', ...problemB }
  if (dialectA === dialectB && jsonEquals(a, b))
    return { verdict: 'proved', derivation: { method: 'same schema', closures: [], cycles: 0 } }
  const others = metaSchemas()
  const more = [...(options.alsoFits ?? []), ...(options.orFits ?? [])].map((schema, at) => {
    const dialect = dialectIn(schema, options)
    const problem = checkSchema(schema, dialect)
    if (problem) throw new Undecided(`a referenced schema is not valid: ${problem.reason}`)
    return new Registry(schema, dialect, others, firstIdOfMore * (at + 1))
  })
  const alsoCount = options.alsoFits?.length ?? 0
  const [registryA, registryB] = [new Registry(a, dialectA, others, 0), new Registry(b, dialectB, others, 1)]
  // Many questions about one large schema take longer to read it than to decide.
  if (options.shared) for (const { size } of [registryA, registryB, ...more]) options.shared.used += size
  return search(
    { a: registryA, b: registryB, also: more.slice(0, alsoCount), or: more.slice(alsoCount) },
    budget,
    options.mode === 'declared',
  )
}

/** Different from all ids of the two schemas: no document has so many nodes. */
const firstIdOfMore = 2 ** 32

function dialectIn(schema: unknown, options: SubschemaOptions): Dialect {
  return statedDialect(schema) ?? options.dialect ?? detectDialect(schema)
}

function search(documents: Documents, budget: Budget, declared: boolean): SubschemaVerdict {
  if (patterns.languages.size > maxLanguages) patterns = new Patterns()
  const terms = new Terms(budget)
  const text = new TextSearch(patterns.languages, budget)
  const checker = new TermChecker(patterns, text, budget)
  const solver = new TermSolver({ terms, budget, patterns, search: text, checker })
  const read = (registry: Registry) => new SchemaCompiler(terms, registry, budget).root()
  const inA = new SchemaCompiler(terms, documents.a, budget, declared).root()
  const fits = documents.also.map(read)
  const breaks = [documents.b, ...documents.or].map(registry => terms.negate(read(registry)))
  const result = solver.solve(terms.and([inA, ...fits, ...breaks]))
  if (result.kind === 'unknown') return { verdict: 'unknown', reason: result.reason, path: result.path }
  if (result.kind === 'empty')
    return {
      verdict: 'proved',
      derivation: { method: 'exhausted', closures: solver.closures, cycles: solver.cycles },
    }
  return refute(result.value, { ...documents, patterns, budget, declared: declared ? inA : undefined })
}
