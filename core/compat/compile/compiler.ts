/** What the keywords of one type need to read the schemas inside them. */
import type { Budget } from '../limits.ts'
import type { DynamicScope } from '../parse/dynamic-scope.ts'
import type { Node } from '../parse/registry.ts'
import type { Term } from './term.ts'
import type { Terms } from './terms.ts'

/** Where a schema is read: its place, and which dynamic anchors are bound there. */
export interface Place {
  readonly node: Node
  readonly scope: DynamicScope
}

export interface Compiler {
  readonly terms: Terms
  readonly budget: Budget
  /** Below `not`, `if` and `contains`, closing objects would allow more, not less: there they stay open. */
  open<Result>(read: () => Result): Result
  /** The place of a schema that stands inside another one. */
  inside(place: Place, schema: unknown, ...steps: (string | number)[]): Place
  /** The term of a schema about a property, an item or a name of the present value. */
  below(place: Place): Term
  /** The term of a schema about the present value itself. */
  read(place: Place): Term
  /** What `$ref` and `$dynamicRef` lead to. */
  references(place: Place): Place[]
  /** The members of `allOf`, `anyOf` or `oneOf`. */
  members(place: Place, keyword: string): Place[]
  /** The schema under a keyword, where there is one. */
  under(place: Place, keyword: string): Place | undefined
}
