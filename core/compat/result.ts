import type { JsonType } from '../json/json.ts'
import type { Budget } from './limits.ts'
import type { Term } from './term.ts'
import type { TermChecker } from './term-checker.ts'
import type { Terms } from './terms.ts'

/** What a search for a value ends with. */
export type Result =
  | { readonly kind: 'found'; readonly value: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unknown'; readonly reason: string; readonly path: string }

export const empty: Result = { kind: 'empty' }

/** One place where nothing was left: the reasons of a proof. */
export interface Closure {
  /** JSON Pointer into the value; `*` stands for any item or for names without a schema of their own. */
  readonly path: string
  readonly type: JsonType
  readonly reason: string
}

/** What the searches of one type need to search for the properties and items of a value. */
export interface Solver {
  readonly terms: Terms
  readonly checker: TermChecker
  readonly budget: Budget
  solve(term: Term): Result
  /** A value of the term, as the property or item under `step`. */
  below(step: string | number, term: Term): Result
  unknown(reason: string): Result
  /** Notes why nothing is left here. */
  closed(type: JsonType, reason: string): Result
  /** Up to `count` different values of a term. `complete`: there are no others. */
  distinct(
    step: string | number,
    term: Term,
    count: number,
  ): { values: unknown[]; complete: boolean; doubt: Result | undefined }
}
