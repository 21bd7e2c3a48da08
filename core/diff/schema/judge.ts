/** Asks the containment engine about one pair of schemas in both modes, and keeps what it said. */

import { type Verdict as Answer, isSubschema } from '../../compat/is-subschema.ts'
import { withoutUndefined } from '../../json/json.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { Verdict } from '../change.ts'
import type { Clock } from './clock.ts'

export interface Judgement {
  readonly strict: Verdict
  readonly declared: Verdict
  readonly reason?: string
  /** A value of the inner schema that the outer refuses, with the place and the words of the refusal. */
  readonly witness?: { readonly value: unknown; readonly path: string; readonly error: string }
}

/** The schemas that stand for one side: as it is written and, where it differs, as it binds a caller. */
export type Views = readonly JsonSchema[]

/**
 * Is every value of `inner` a value of `outer`? Views are asked in turn, so that a witness fits the schema as written
 * where there is such a one.
 */
export function judge(inner: Views, outer: JsonSchema, clock: Clock, isWhole = false): Judgement {
  // Callers who keep to what is declared send less: what breaks them breaks the set, and what is proved for the set holds
  // for them.
  const declared = ask(inner, outer, 'declared', () => clock.share(isWhole))
  if (declared.verdict === 'refuted') return { strict: 'refuted', ...judgement(declared) }
  if (declared.verdict === 'invalid') return { strict: 'invalid', ...judgement(declared) }
  const strict = ask(inner, outer, 'strict', () => clock.share(isWhole))
  if (strict.verdict === 'proved') return { strict: 'proved', declared: 'proved', reason: howProved(strict) }
  const { reason: why, witness } = judgement(strict)
  const reason = declared.verdict === 'unknown' ? declared.reason : why
  return withoutUndefined({ strict: strict.verdict, declared: declared.verdict, reason, witness })
}

/** Why a schema refuses a value; undefined where it takes it, or nobody can say. */
export function refusal(
  value: unknown,
  schema: JsonSchema,
  clock: Clock,
): { path: string; error: string } | undefined {
  const answer = isSubschema({ const: value }, schema, { limits: { milliseconds: clock.share() } })
  return answer.verdict === 'refuted' ? { path: answer.path, error: answer.error.message } : undefined
}

/** Is a value one of the schema's, for certain? */
export function isTaken(value: unknown, schema: JsonSchema, clock: Clock): boolean {
  return (
    isSubschema({ const: value }, schema, { limits: { milliseconds: clock.share() } }).verdict === 'proved'
  )
}

function ask(inner: Views, outer: JsonSchema, mode: 'strict' | 'declared', share: () => number): Answer {
  let last: Answer = { verdict: 'unknown', reason: 'nothing was asked', path: '' }
  for (const view of inner) {
    const milliseconds = share()
    if (milliseconds <= 0)
      return { verdict: 'unknown', reason: 'the time for this comparison is used up', path: '' }
    last = isSubschema(view, outer, { mode, limits: { milliseconds } })
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
