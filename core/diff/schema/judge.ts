/** Asks the containment engine about one pair of schemas in both modes, and keeps what it said. */

import { type Verdict as Answer, isSubschema } from '../../compat/is-subschema.ts'
import type { Budget } from '../../compat/limits.ts'
import { withoutUndefined } from '../../json/json.ts'
import { consumerSchema } from '../../json-schema/caller-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { Verdict } from '../change.ts'

/** Steps that one question may take, and the question on two whole schemas, on which all others hang. */
const maxForOne = 200_000
const maxForWhole = 500_000

export interface Judgement {
  readonly strict: Verdict
  readonly declared: Verdict
  readonly reason?: string
  /** A value of the inner schema that the outer refuses, with the place and the words of the refusal. */
  readonly witness?: { readonly value: unknown; readonly path: string; readonly error: string }
}

/** The schemas that stand for one side: as it is written and, where it differs, as it binds a caller. */
export type Views = readonly JsonSchema[]

export interface Asked {
  readonly direction: 'input' | 'output'
  readonly budget: Budget
}

/**
 * Is every value of `inner` a value of `outer`? Views are asked in turn, so that a witness fits the schema as written
 * where there is such a one.
 */
export function judge(
  inner: Views,
  outer: JsonSchema,
  { direction, budget }: Asked,
  isWhole = false,
): Judgement {
  // Callers that send declared fields send less, and consumers that read declared fields take more: what breaks them
  // breaks the set, and what is proved for the set holds for them.
  const taken = direction === 'output' ? consumerSchema(outer) : outer
  const declared = ask(inner, taken, 'declared', budget, isWhole)
  if (declared.verdict === 'refuted') return { strict: 'refuted', ...judgement(declared) }
  if (declared.verdict === 'invalid') return { strict: 'invalid', ...judgement(declared) }
  const strict = ask(inner, outer, 'strict', budget, isWhole)
  if (strict.verdict === 'proved') return { strict: 'proved', declared: 'proved', reason: howProved(strict) }
  const { reason: why, witness } = judgement(strict)
  const reason = declared.verdict === 'unknown' ? declared.reason : why
  return withoutUndefined({ strict: strict.verdict, declared: declared.verdict, reason, witness })
}

/** Why a schema refuses a value; undefined where it takes it, or nobody can say. */
export function refusal(
  value: unknown,
  schema: JsonSchema,
  budget: Budget,
): { path: string; error: string } | undefined {
  const answer = isSubschema({ const: value }, schema, { limits: { steps: maxForOne }, shared: budget })
  return answer.verdict === 'refuted' ? { path: answer.path, error: answer.error.message } : undefined
}

/** Is a value one of the schema's, for certain? */
export function isTaken(value: unknown, schema: JsonSchema, budget: Budget): boolean {
  return (
    isSubschema({ const: value }, schema, { limits: { steps: maxForOne }, shared: budget }).verdict ===
    'proved'
  )
}

function ask(
  inner: Views,
  outer: JsonSchema,
  mode: 'strict' | 'declared',
  shared: Budget,
  isWhole: boolean,
): Answer {
  let last: Answer = { verdict: 'unknown', reason: 'nothing was asked', path: '' }
  for (const view of inner) {
    if (shared.left <= 0)
      return { verdict: 'unknown', reason: 'the steps for this comparison are used up', path: '' }
    last = isSubschema(view, outer, { mode, limits: { steps: isWhole ? maxForWhole : maxForOne }, shared })
    if (last.verdict !== 'proved') return last
  }
  return last
}

function judgement(answer: Answer): Omit<Judgement, 'strict'> {
  switch (answer.verdict) {
    case 'refuted':
      return {
        declared: 'refuted',
        witness: { value: answer.witness, path: answer.path, error: answer.error.message },
      }
    case 'proved':
      return { declared: 'proved', reason: howProved(answer) }
    case 'invalid':
      return { declared: 'invalid', reason: answer.reason }
    case 'unknown':
      return { declared: 'unknown', reason: answer.reason }
  }
}

function howProved(answer: Extract<Answer, { verdict: 'proved' }>): string {
  const { method, closures, cycles } = answer.derivation
  if (method === 'same schema') return 'the schemas mean the same'
  if (closures.length === 0) return 'no counterexample exists'
  const ways =
    closures.length >= 200
      ? 'more than 200 ways'
      : closures.length === 1
        ? 'the one way'
        : `all ${closures.length} ways`
  const recursion = cycles > 0 ? `, ${cycles} of them by recursion` : ''
  return `no counterexample exists: ${ways} to one ${closures.length === 1 ? 'was' : 'were'} tried and closed${recursion}`
}
