import type { JsonType } from '../json/json.ts'
import type { Budget } from './proof-limits.ts'
import type { Term } from './term.ts'
import type { TermChecker } from './term-checker.ts'
import type { Terms } from './terms.ts'

export type Result =
  | { readonly kind: 'found'; readonly value: unknown }
  | { readonly kind: 'empty' }
  | { readonly kind: 'unknown'; readonly reason: string; readonly path: string }

export const empty: Result = { kind: 'empty' }

/** A location without possible values: a reason in a proof. */
export interface Closure {
  /** JSON Pointer into the value; `*` means any item, or names without a separate schema. */
  readonly path: string
  readonly type: JsonType
  readonly reason: string
}

/** The functions with which the searches of one type search for the properties and items of a value. */
export interface Solver {
  readonly terms: Terms
  readonly checker: TermChecker
  readonly budget: Budget
  solve(term: Term): Result
  /** Returns a value of the term for the property or item under `step`. */
  below(step: string | number, term: Term): Result
  unknown(reason: string): Result
  /** Records why no value is possible here. */
  closed(type: JsonType, reason: string): Result
  /** Returns up to `count` different values of a term. `complete`: there are no others. */
  distinct(
    step: string | number,
    term: Term,
    count: number,
  ): { values: unknown[]; complete: boolean; doubt: Result | undefined }
}
