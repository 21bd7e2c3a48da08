/** Asks the containment engine about two schemas, for all values and for declared fields only. */

import { type SubschemaVerdict as Answer, findFailure, isSubschema } from '../../compat/is-subschema.ts'
import type { Budget } from '../../compat/proof-limits.ts'
import { withoutUndefined } from '../../json/json.ts'
import { consumerSchema } from '../../schema/caller-schema.ts'
import type { JsonSchema } from '../../tool/tool.ts'
import type { Verdict } from '../change.ts'

/** Why a question was not asked. */
export const outOfSteps = 'the steps for this comparison are used up'

/** Maximum steps of one question, and of the question on two whole schemas, on which the others depend. */
const maxForOne = 200_000
const maxForWhole = 500_000

/** `declared`: senders use only fields that the inner side declares, and receivers read only declared ones. */
export type Mode = 'declared' | 'strict'
export const modes = ['declared', 'strict'] as const satisfies readonly Mode[]

export interface ContainmentQuestion {
  /** The side whose values must still be accepted: as written and, if different, as it binds a caller. */
  readonly inner: readonly JsonSchema[]
  readonly outer: JsonSchema
  /** Other readings of the outer side: it accepts what any of them accepts. */
  readonly orOuter?: readonly JsonSchema[]
  readonly direction: 'input' | 'output'
  readonly budget: Budget
}

/** A value of the inner side that the outer side refuses, with the location and message of the refusal. */
export interface RefusedValue {
  readonly value: unknown
  readonly path: string
  readonly error: string
}

export interface Containment {
  readonly strict: Verdict
  readonly declared: Verdict
  readonly reason?: string
  readonly witness?: RefusedValue
}

export interface QuestionOptions {
  /** Schemas that a value of the inner side must also match. */
  readonly alsoFits?: readonly JsonSchema[]
  /** Schemas that count as accepting a value, like the outer side. */
  readonly orFits?: readonly JsonSchema[]
  /** Whether the question is on the two whole schemas; it may then take more steps. */
  readonly isWhole?: boolean
}

/** Decides whether every value of the inner side is a value of the outer side. */
export function decideContainment(question: ContainmentQuestion, options: QuestionOptions = {}): Containment {
  // Callers that send declared fields send less, and consumers that read declared fields accept more: what breaks them
  // breaks the set, and what is proved for the set holds for them.
  const declared = ask(question, 'declared', options)
  if (declared.verdict === 'refuted') return { strict: 'refuted', ...inMode(declared) }
  if (declared.verdict === 'invalid') return { strict: 'invalid', ...inMode(declared) }
  const strict = ask(question, 'strict', options)
  if (strict.verdict === 'proved') return { strict: 'proved', declared: 'proved', reason: howProved(strict) }
  const { reason: why, witness } = inMode(strict)
  if (declared.verdict === 'unknown' && witness && isDeclared(witness.value, question))
    return { strict: 'refuted', declared: 'refuted', witness }
  const reason = declared.verdict === 'unknown' ? declared.reason : why
  return withoutUndefined({ strict: strict.verdict, declared: declared.verdict, reason, witness })
}

/** Whether a value of the inner side uses only fields that it declares. */
function isDeclared(value: unknown, { inner, budget }: ContainmentQuestion): boolean {
  return inner.some(view => {
    const options = {
      mode: 'declared',
      limits: { steps: maxForOne },
      shared: budget,
      alsoFits: [{ const: value }],
    } as const
    return isSubschema(view, false, options).verdict === 'refuted'
  })
}

/**
 * Returns the answer in one mode. Asks about the inner side's views in order, so that a witness matches the schema as
 * written if possible.
 */
export function ask(
  question: ContainmentQuestion,
  mode: Mode,
  { alsoFits, orFits, isWhole }: QuestionOptions = {},
): Answer {
  const { inner, direction, budget, orOuter = [] } = question
  const read = (schema: JsonSchema) =>
    mode === 'declared' && direction === 'output' ? consumerSchema(schema) : schema
  let last: Answer = { verdict: 'unknown', reason: 'nothing was asked', path: '' }
  for (const view of inner) {
    if (budget.left <= 0) return { verdict: 'unknown', reason: outOfSteps, path: '' }
    last = isSubschema(view, read(question.outer), {
      mode,
      limits: { steps: isWhole ? maxForWhole : maxForOne },
      shared: budget,
      alsoFits: alsoFits?.map(read) ?? [],
      orFits: [...(orFits ?? []), ...orOuter].map(read),
    })
    if (last.verdict !== 'proved') return last
  }
  return last
}

/** Returns why a schema refuses a value; undefined if it accepts the value or this is undecided. */
export function findRefusal(value: unknown, schema: JsonSchema, budget: Budget): RefusedValue | undefined {
  const failure = findFailure(value, schema, budget)
  return failure ? { value, path: failure.path, error: failure.message } : undefined
}

/** Returns whether a schema certainly accepts a value. */
export function accepts(value: unknown, schema: JsonSchema, budget: Budget): boolean {
  return findFailure(value, schema, budget) === null
}

function inMode(answer: Answer): Omit<Containment, 'strict'> {
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
  const ways = closures.length >= 200 ? 'more than 200 cases' : `${closures.length} cases`
  const recursion = cycles > 0 ? `, ${cycles} of them by recursion` : ''
  return closures.length === 1
    ? `the one case was checked and closed${recursion}`
    : `${ways} were checked, and none fails${recursion}`
}
