/** What validating one value yields, and where it stands while it is validated. */
import { own, type UnknownObject } from '../../json/json.ts'
import { pointerStep } from '../../json/pointer.ts'
import { isSince } from '../../json-schema/keywords.ts'
import type { ScopedSchema } from '../parse/registry.ts'
import { countOf } from '../values.ts'

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

/** One value on its way through the keywords of one schema. */
export interface Check<Value = unknown> {
  readonly evaluator: Evaluator
  readonly value: Value
  readonly context: Context
  readonly schema: UnknownObject
  /** The properties and items that a keyword has looked at so far. */
  readonly seen: Set<string | number>
}

/** Both names and indexes, with what stands there. */
export type Entries = Iterable<[string | number, unknown]>

export function failure(context: Context, keyword: string, message: string): Failure {
  return { path: context.path, schemaPath: context.node.path, keyword, message }
}

/** Validates one property or item against a part of the schema, and notes it as seen. */
export function checkEntry(
  { evaluator, context, seen }: Check,
  [key, entry]: [string | number, unknown],
  part: unknown,
  steps: (string | number)[],
): Failure | undefined {
  const outcome = evaluator.evaluate(entry, evaluator.inside(context, part, steps, pointerStep(key)))
  if (!outcome.failure) seen.add(key)
  return outcome.failure
}

/** `unevaluatedItems` and `unevaluatedProperties`: what no other keyword has looked at. */
export function checkUnevaluated(check: Check, keyword: string, entries: Entries): Failure | undefined {
  const { context, schema, seen } = check
  if (own(schema, keyword) === undefined || !isSince(context.node.resource.dialect, '2019-09'))
    return undefined
  for (const entry of entries) {
    const found = seen.has(entry[0]) ? undefined : checkEntry(check, entry, schema[keyword], [keyword])
    if (found) return found
  }
  return undefined
}

/** How many parts a value has, by two keywords such as `minItems` and `maxItems`. */
export function checkCount(
  { context, schema }: Check,
  count: number,
  subject: 'Items' | 'Length' | 'Properties',
): Failure | undefined {
  const parts = subject === 'Length' ? 'characters' : subject.toLowerCase()
  const min = countOf(own(schema, `min${subject}`)) ?? 0
  const max = countOf(own(schema, `max${subject}`)) ?? Number.POSITIVE_INFINITY
  if (count < min) return failure(context, `min${subject}`, `must have at least ${min} ${parts}`)
  if (count > max) return failure(context, `max${subject}`, `must have at most ${max} ${parts}`)
  return undefined
}
