/** What the keywords of one type need to read the schemas inside them. */
import type { Budget } from './limits.ts'
import type { ScopedSchema } from './registry.ts'
import type { Term } from './term.ts'
import type { Terms } from './terms.ts'

export interface Compiler {
  readonly terms: Terms
  readonly budget: Budget
  /** Below `not`, `if` and `contains`, closing objects would allow more, not less: there they stay open. */
  open<Result>(read: () => Result): Result
  /** The place of a schema that stands inside another one. */
  inside(scoped: ScopedSchema, schema: unknown, ...steps: (string | number)[]): ScopedSchema
  /** The term of a schema about a property, an item or a name of the present value. */
  below(scoped: ScopedSchema): Term
  /** The term of a schema about the present value itself. */
  read(scoped: ScopedSchema): Term
  /** What `$ref` and `$dynamicRef` lead to. */
  references(scoped: ScopedSchema): ScopedSchema[]
  /** The members of `allOf`, `anyOf` or `oneOf`. */
  members(scoped: ScopedSchema, keyword: string): ScopedSchema[]
  /** Does `work` for a schema. Throws Undecided where that is under way already: it refers to itself without end. */
  once<Result>(work: string, scoped: ScopedSchema, run: () => Result): Result
  /** The schema under a keyword, where there is one. */
  under(scoped: ScopedSchema, keyword: string): ScopedSchema | undefined
}
