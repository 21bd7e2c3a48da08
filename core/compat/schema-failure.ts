/** The result of validating one value, and the location during validation. */
import { toPointer } from '../json/pointer.ts'
import type { ScopedSchema } from './registry.ts'

/** The location and the reason of an invalid value. */
export interface SchemaFailure {
  /** JSON Pointer into the value. */
  readonly path: string
  /** JSON Pointer to the schema whose keyword refused it. */
  readonly schemaPath: string
  readonly schema: unknown
  readonly keyword: string
  /** A sentence for people. */
  readonly message: string
  /** The keyword's value in the schema. */
  readonly limit?: unknown
  /** A missing property, or one whose name is not allowed. */
  readonly property?: string
  /** The property that requires it. */
  readonly because?: string
  /** For a union: why each branch refused the value. */
  readonly branches?: readonly (readonly SchemaFailure[])[]
}

/** The properties and items that a schema has evaluated. */
export interface EvaluatedSet {
  has(key: string | number): boolean
  add(key: string | number): unknown
  [Symbol.iterator](): Iterator<string | number>
}

export class Outcome {
  readonly failures: SchemaFailure[] = []
  readonly seen: EvaluatedSet
  private readonly context: Context

  constructor(context: Context, seen: EvaluatedSet) {
    this.context = context
    this.seen = seen
  }

  get isValid(): boolean {
    return this.failures.length === 0
  }

  fail(keyword: string, message: string, more: Partial<SchemaFailure> = {}): void {
    const { location, node } = this.context
    this.failures.push({
      path: pathTo(location),
      schemaPath: node.path,
      schema: node.schema,
      keyword,
      message,
      ...more,
    })
  }

  /** Adds the result of another schema for the same value. */
  include(other: Outcome): void {
    this.addFailures(other)
    if (other.isValid) this.addSeen(other)
  }

  /** Adds failures of a part of the value. */
  addFailures({ failures }: Outcome): void {
    for (const failure of failures) this.failures.push(failure)
  }

  addSeen(other: Outcome): void {
    for (const key of other.seen) this.seen.add(key)
  }
}

export interface Context extends ScopedSchema {
  /** The value's location; undefined for the whole value. */
  readonly location: Location | undefined
  /** The number of schemas that were entered on the way to this one. */
  readonly depth: number
  /** The references that were followed for this value. */
  readonly followed: FollowedReference | undefined
}

/** The location of a part of a value. The path is written only for failures. */
export interface Location {
  readonly key: string | number
  readonly before: Location | undefined
}

/** Returns the location as a JSON Pointer. */
export function pathTo(location: Location | undefined): string {
  const keys: (string | number)[] = []
  for (let at = location; at; at = at.before) keys.push(at.key)
  return toPointer(keys.reverse())
}

/** Facts about a schema that are read once: whether it has keywords that few schemas have. */
export interface SchemaFacts {
  readonly hasReferences: boolean
  readonly hasLogic: boolean
  readonly hasFormat: boolean
  /** For objects: `propertyNames`, `dependencies` and similar keywords. */
  readonly hasNameRules: boolean
  readonly hasUnevaluatedProperties: boolean
  readonly hasDependencies: boolean
}

export interface FollowedReference {
  readonly key: string
  readonly before: FollowedReference | undefined
}

/** The functions with which the checks of one type validate the items and properties of a value. */
export interface Evaluator {
  /** Whether the value is known to match the schema, so that it need not be evaluated. */
  isMatch(schema: unknown, value: unknown): boolean
  readonly matches: PatternTest
  /** Whether to stop after the failures so far. */
  isDone(outcome: Outcome): boolean
  evaluate(value: unknown, context: Context): Outcome
  /** Returns the context of a schema inside the current one, for the same value. */
  inside(context: Context, schema: unknown, ...steps: (string | number)[]): Context
  /** Returns the context of a schema inside the current one, for a part of the value. */
  below(context: Context, schema: unknown, steps: (string | number)[], key: string | number): Context
}

export type PatternTest = (pattern: string, text: string) => boolean
