/** The functions with which the keywords of one type read the schemas inside them. */
import type { Budget } from './proof-limits.ts'
import type { ScopedSchema } from './registry.ts'
import type { Term } from './term.ts'
import type { Terms } from './terms.ts'

export interface Compiler {
  readonly terms: Terms
  readonly budget: Budget
  /** Reads without closing objects: below `not`, `if` and `contains`, closed objects would allow more, not less. */
  open<Result>(read: () => Result): Result
  /** Returns the location of a schema inside another one. */
  inside(scoped: ScopedSchema, schema: unknown, ...steps: (string | number)[]): ScopedSchema
  /** Returns the term of a schema for a property, an item or a name of the current value. */
  below(scoped: ScopedSchema): Term
  /** Returns the term of a schema for the current value itself. */
  read(scoped: ScopedSchema): Term
  /** Returns the targets of `$ref` and `$dynamicRef`. */
  references(scoped: ScopedSchema): ScopedSchema[]
  /** Returns the members of `allOf`, `anyOf` or `oneOf`. */
  members(scoped: ScopedSchema, keyword: string): ScopedSchema[]
  /**
   * Does `work` for a schema. Throws Undecided if the same work is in progress: the schema refers to itself without
   * end.
   */
  once<Result>(work: string, scoped: ScopedSchema, run: () => Result): Result
  /** Returns the schema under a keyword, if there is one. */
  under(scoped: ScopedSchema, keyword: string): ScopedSchema | undefined
}
