/** The questions of all calls of this process that wait for an answer in the page. */

import { AppError } from '../../core/errors.ts'
import type { Validation } from '../../core/tool/invocation.ts'
import type { Answer, GivenAnswer, Question } from '../../core/tool/question.ts'
import type { Validator } from '../workers/validator.ts'
import { type AskPerson, validateAnswer } from './answer-question.ts'

interface WaitingQuestion {
  readonly callId: string
  readonly question: Question
  readonly resolve: (answer: GivenAnswer) => void
}

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
