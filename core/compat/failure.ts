/** What validating one value yields, and where it stands while it is validated. */
import { toPointer } from '../json/pointer.ts'
import type { ScopedSchema } from './registry.ts'

/** Where and why a value breaks its schema. */
export interface Failure {
  /** JSON Pointer into the value. */
  readonly path: string
  /** JSON Pointer to the schema whose keyword refused it. */
  readonly schemaPath: string
  /** That schema. */
  readonly schema: unknown
  readonly keyword: string
  /** A sentence for people. */
  readonly message: string
  /** The keyword's value in the schema. */
  readonly limit?: unknown
  /** A property that is missing, or whose name is not allowed. */
  readonly property?: string
  /** The property for whose sake it must be there. */
  readonly because?: string
  /** Of a union: why each of its branches refused the value. */
  readonly branches?: readonly (readonly Failure[])[]
}

/** Which properties and items a schema has looked at. */
export interface Seen {
  has(key: string | number): boolean
  add(key: string | number): unknown
  [Symbol.iterator](): Iterator<string | number>
}

/** What a schema says of one value. */
export class Outcome {
  readonly failures: Failure[] = []
  readonly seen: Seen
  private readonly context: Context

  constructor(context: Context, seen: Seen) {
    this.context = context
    this.seen = seen
  }

  get isValid(): boolean {
    return this.failures.length === 0
  }

  fail(keyword: string, message: string, more: Partial<Failure> = {}): void {
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

  /** What a schema about the same value says holds here too. */
  include(other: Outcome): void {
    this.addFailures(other)
    if (other.isValid) this.addSeen(other)
  }

  /** Those of a part of the value. */
  addFailures({ failures }: Outcome): void {
    for (const failure of failures) this.failures.push(failure)
  }

  addSeen(other: Outcome): void {
    for (const key of other.seen) this.seen.add(key)
  }
}

export interface Context extends ScopedSchema {
  /** Where the value stands; undefined for the whole. */
  readonly location: Location | undefined
  /** How many schemas were entered on the way here. */
  readonly depth: number
  /** The references that were followed at this very value. */
  readonly followed: FollowedReference | undefined
}

/** A part of a value. Its path is written only where a failure needs it. */
export interface Location {
  readonly key: string | number
  readonly before: Location | undefined
}

/** The location as a JSON Pointer. */
export function pathTo(location: Location | undefined): string {
  const keys: (string | number)[] = []
  for (let at = location; at; at = at.before) keys.push(at.key)
  return toPointer(keys.reverse())
}

/** What is read of a schema once: whether it has keywords that few schemas have. */
export interface SchemaFacts {
  readonly hasReferences: boolean
  readonly hasLogic: boolean
  readonly hasFormat: boolean
  /** Of objects: `propertyNames`, `dependencies` and their like. */
  readonly hasNameRules: boolean
  readonly hasDependencies: boolean
}

export interface FollowedReference {
  readonly key: string
  readonly before: FollowedReference | undefined
}

/** What the checks of one type need to validate the items and properties of a value. */
export interface Evaluator {
  readonly matches: Matches
  /** Looks no further after a failure? */
  isDone(outcome: Outcome): boolean
  evaluate(value: unknown, context: Context): Outcome
  /** The context of a schema inside the present one, about the same value. */
  inside(context: Context, schema: unknown, ...steps: (string | number)[]): Context
  /** The context of a schema inside the present one, about a part of the value. */
  below(context: Context, schema: unknown, steps: (string | number)[], key: string | number): Context
}

export type Matches = (pattern: string, text: string) => boolean
