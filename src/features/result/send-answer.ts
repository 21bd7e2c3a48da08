import { AppError } from '../../../core/errors.ts'
import type { ValidationIssue } from '../../../core/tool/invocation.ts'
import type { Answer } from '../../../core/tool/question.ts'
import type { Backend } from '../../api/backend.ts'

/** Behind one address there may be several servers, and the question waits at one of them. */
const maxTries = 8
const pauseMs = 150

interface SentAnswer {
  readonly callId: string
  /** Its id. */
  readonly question: string
  readonly answer: Answer
}

/** Sends an answer. Resolves with what is wrong with it: then it was not sent on. Rejects with AppError. */
export async function sendAnswer(
  backend: Backend,
  { callId, question, answer }: SentAnswer,
): Promise<readonly ValidationIssue[]> {
  for (let tries = 1; ; tries++)
    try {
      const { verdict, issues } = await backend.request('POST /api/invocations/{id}/answers', {
        params: { id: callId },
        body: { question, action: answer.action, ...(answer.content && { content: answer.content }) },
      })
      return verdict === 'invalid' ? issues : []
    } catch (thrown) {
      const mayBeElsewhere = thrown instanceof AppError && thrown.code === 'question-not-found'
      if (!mayBeElsewhere || tries === maxTries) throw thrown
      await new Promise(resolve => setTimeout(resolve, pauseMs))
    }
}
