/** Answers what a server asks during a call: with a prepared answer, else by asking a person, else it declines. */

import { chooseAnswer, type PreparedAnswers } from '../../core/checks/prepared-answers.ts'
import { AppError } from '../../core/errors.ts'
import type { Validation } from '../../core/tool/invocation.ts'
import type { Answer, GivenAnswer, Question } from '../../core/tool/question.ts'
import { issueSentence } from '../../core/validation/read-issues.ts'
import type { AnswerWithResult, CallOptions, QuestionRequest } from '../sources/source.ts'
import type { Validator } from '../workers/validator.ts'

/** Asks a person, or the client that made the call. The signal is aborted when the answer is no longer needed. */
export type AskPerson = (
  question: Question,
  call: { readonly callId: string; readonly signal: AbortSignal; readonly request: QuestionRequest },
) => Promise<AnswerWithResult>

export interface AnswerSettings {
  /** Answers that were given before the call. */
  readonly answers?: PreparedAnswers | undefined
  /** Used for questions without a prepared answer. */
  readonly ask?: AskPerson | undefined
}

/** Returns undefined if there are no prepared answers and no person to ask. */
export function buildAnswerer(
  { id, answers, ask }: AnswerSettings & { readonly id: string },
  validator: Validator,
): CallOptions['answer'] {
  if (answers === undefined && ask === undefined) return undefined
  let index = 0
  return async (question, signal, request) => {
    const prepared = answers && chooseAnswer(answers, question, index++)
    if (prepared === undefined)
      return (
        (await ask?.(question, { callId: id, signal, request })) ??
        ({ action: 'decline', by: 'toolscope', note: 'No answer was prepared for this question.' } as const)
      )
    const { verdict, issues } = await validateAnswer(question, prepared, validator)
    if (verdict !== 'invalid') return { ...prepared, by: 'prepared' }
    const sentences = issues.slice(0, 5).map(issue => issueSentence(issue, 'the content'))
    const note = `The prepared answer does not fit what was asked, and was not sent: ${sentences.join('; ')}`
    return { action: 'cancel', by: 'toolscope', note }
  }
}

/**
 * Validates an answer's content against the schema of the question. Returns `no schema` if there is no content to
 * validate.
 */
export async function validateAnswer(
  question: Question,
  { action, content = {} }: Answer,
  validator: Validator,
): Promise<Validation> {
  const schema = action === 'accept' && question.mode === 'form' ? question.schema : undefined
  return validator.validate(schema, content)
}

interface WaitingQuestion {
  readonly callId: string
  readonly question: Question
  readonly resolve: (answer: GivenAnswer) => void
}

/** The questions of all calls of this process that wait for an answer in the page. */
export class PendingQuestions {
  private readonly validator: Validator
  private readonly waiting = new Map<string, WaitingQuestion>()

  constructor(validator: Validator) {
    this.validator = validator
  }

  /** Resolves with the answer that `answer` receives. Never resolves if the signal ends the question. */
  readonly ask: AskPerson = (question, { callId, signal }) =>
    new Promise(resolve => {
      this.waiting.set(question.id, { callId, question, resolve })
      signal.addEventListener('abort', () => this.waiting.delete(question.id), { once: true })
    })

  /**
   * Sends an answer to the server that asked, unless its content breaks the schema of the question. Throws AppError
   * `question-not-found`.
   */
  async answer(callId: string, questionId: string, answer: Answer): Promise<Validation> {
    const waiting = this.waiting.get(questionId)
    if (waiting?.callId !== callId)
      throw new AppError('question-not-found', 'it was answered, taken back, or its call has ended')
    const validation = await validateAnswer(waiting.question, answer, this.validator)
    if (validation.verdict === 'invalid') return validation
    this.waiting.delete(questionId)
    waiting.resolve({ ...answer, by: 'person' })
    return validation
  }
}
