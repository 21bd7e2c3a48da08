/** Answers that are prepared before a call, for questions of its server. */
import { z } from 'zod'
import { fillDefaults } from '../form/defaults.ts'
import { isObject, type Json } from '../json/json.ts'
import { findSecretFields } from '../tool/is-secret.ts'
import { leaveOutOfValue } from '../tool/left-out.ts'
import type { Answer, Question, QuestionState } from '../tool/question.ts'
import type { JsonSchema } from '../tool/tool.ts'

const actions = z.enum(['accept', 'decline', 'cancel'])

/**
 * One answer of a prepared list. A word is short for the object; `accept` without content accepts the form's defaults.
 */
export const preparedAnswer = z.union(
  [
    actions,
    z.strictObject({
      action: z.literal('accept'),
      content: z.record(z.string(), z.unknown()).optional().describe('The fields of the form.'),
    }),
    z.strictObject({ action: z.enum(['decline', 'cancel']) }),
  ],
  { error: 'must be one of "accept", "decline", "cancel", {"action":"accept","content":{…}}' },
)

const inOrder = z.array(preparedAnswer).max(100)
const byName = z.record(z.string(), preparedAnswer)

/** An array answers the questions in order; an object, by the name or the whole message of a question. */
export const preparedAnswers = z
  .union([inOrder, byName])
  .describe('Answers to what the server asks: in order, or by the name or the message of a question.')

export type PreparedAnswers = z.infer<typeof preparedAnswers>

/** Parses like `preparedAnswers.safeParse`, with an error that names the answer. */
export function parseAnswers(value: unknown): z.ZodSafeParseResult<PreparedAnswers> {
  return Array.isArray(value) ? inOrder.safeParse(value) : byName.safeParse(value)
}

/** Returns the prepared answer to a question. @param index the number of earlier questions in the call */
export function chooseAnswer(
  answers: PreparedAnswers,
  question: Question,
  index: number,
): Answer | undefined {
  const found = Array.isArray(answers) ? answers[index] : namedAnswer(answers, question)
  if (found === undefined) return undefined
  const answer = typeof found === 'string' ? { action: found } : found
  if (answer.action !== 'accept') return { action: answer.action }
  if (question.mode === 'url') return { action: 'accept' }
  // The answers were parsed from JSON, so their members are JSON.
  const content = 'content' in answer ? (answer.content as Answer['content']) : undefined
  return { action: 'accept', content: content ?? defaultContent(question.schema) }
}

function namedAnswer(
  answers: Exclude<PreparedAnswers, readonly unknown[]>,
  { name, message }: Question,
): z.infer<typeof preparedAnswer> | undefined {
  if (name !== undefined && Object.hasOwn(answers, name)) return answers[name]
  return Object.hasOwn(answers, message) ? answers[message] : undefined
}

export interface StoredAnswers {
  readonly answers: PreparedAnswers
  /** Whether the marker replaces a secret. */
  readonly masked: boolean
}

/**
 * Keeps the answers of a call for the next one, with `marker` for each secret; undefined if there were no questions.
 */
export function keepAnswers(questions: readonly QuestionState[], marker: string): StoredAnswers | undefined {
  if (questions.length === 0) return undefined
  let masked = false
  const answers = questions.map(({ question, answer }) => {
    const { action, content } = answer ?? { action: 'cancel' }
    if (action !== 'accept') return action
    if (content === undefined || question.mode === 'url') return 'accept'
    const left = leaveOutOfValue(content, findSecretFields(question.schema), { marker })
    masked ||= left.marker !== undefined
    // An object stays an object.
    return { action, content: left.kept as Record<string, Json> }
  })
  return { answers, masked }
}

/** Returns the initial content of a form. */
export function defaultContent(schema: JsonSchema): { readonly [field: string]: Json } {
  const defaults = fillDefaults(schema, {})
  return isObject(defaults) ? defaults : {}
}
