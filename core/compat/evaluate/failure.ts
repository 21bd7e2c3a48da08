/** What validating one value yields, and where it stands while it is validated. */
import type { ScopedSchema } from '../parse/registry.ts'

/** Where and why a value breaks its schema. */
export interface Failure {
  /** JSON Pointer into the value. */
  readonly path: string
  /** JSON Pointer to the schema whose keyword refused it. */
  readonly schemaPath: string
  readonly keyword: string
  /** A sentence for people. */
  readonly message: string
}

/** What a schema says of one value: its first failure, or the properties and items that it has looked at. */
export interface Outcome {
  readonly failure: Failure | undefined
  readonly seen: ReadonlySet<string | number>
}

export interface Context extends ScopedSchema {
  /** JSON Pointer to the value. */
  readonly path: string
}

/** What the checks of one type need to validate the items and properties of a value. */
export interface Evaluator {
  readonly matches: Matches
  evaluate(value: unknown, context: Context): Outcome
  /** The context of a schema inside the present one; `step` leads to a part of the value. */
  inside(context: Context, schema: unknown, steps: (string | number)[], step?: string): Context
}

export type Matches = (pattern: string, text: string) => boolean

export function failure(context: Context, keyword: string, message: string): Failure {
  return { path: context.path, schemaPath: context.node.path, keyword, message }
}
