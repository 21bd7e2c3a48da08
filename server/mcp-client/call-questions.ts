/** The questions that the server asks during one call: each becomes two events and one answer to the server. */
import { randomUUID } from 'node:crypto'
import { ProtocolError } from '@modelcontextprotocol/client'
import { toErrorMessage } from '../../core/errors.ts'
import { isObject, withoutUndefined } from '../../core/json/json.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import { type Answer, type GivenAnswer, readQuestion, readSampling } from '../../core/tool/question.ts'
import { runWithSignals } from '../process/run-with-limit.ts'
import type { AnswerWithResult, CallOptions, QuestionRequest } from '../sources/source.ts'
import type { CallClock } from './call-clock.ts'

/** Ends a call whose server asks without end. */
export const maxQuestions = 20

export interface QuestionContext {
  /** `elicitation` unless given. */
  readonly kind?: QuestionKind | undefined
  /** The server's name for the question, if it asks several. */
  readonly name?: string | undefined
  /** A note about what is uncertain. */
  readonly note?: string | undefined
  /** Aborts if the server withdraws the question. */
  readonly signal?: AbortSignal | undefined
}

/** A server asks by `elicitation/create` or by `sampling/createMessage`. */
export type QuestionKind = 'elicitation' | 'sampling'

/** Answers a question that came on its own, not in the answer to a call, with what the server receives. See toReply. */
export type AskQuestion = (kind: QuestionKind, params: unknown, signal: AbortSignal) => Promise<ReplyResult>

/** An answer for the server. `result` replaces it: another client answered. `why` gives the reason of a refusal. */
export interface Reply extends Answer {
  readonly result?: ReplyResult
  readonly why?: string
}

export class CallQuestions {
  /** The task that the server made of the call: its questions name it. */
  taskId: string | undefined
  /** Absent if no user can answer. */
  private readonly answerOf: CallOptions['answer']
  private readonly emit: (event: SessionEvent) => void
  private readonly clock: CallClock | undefined
  private readonly server: string | undefined
  private readonly signal: AbortSignal
  /** Aborts at the end of the call. It is created with the first question, because most calls have none. */
  private ended: AbortController | undefined
  private questionCount = 0

  constructor(
    { answer }: Pick<CallOptions, 'answer'>,
    parts: {
      readonly emit: (event: SessionEvent) => void
      readonly clock: CallClock | undefined
      readonly server: string | undefined
      /** Aborts if the call is stopped. */
      readonly signal: AbortSignal
    },
  ) {
    this.answerOf = answer
    this.emit = parts.emit
    this.clock = parts.clock
    this.server = parts.server
    this.signal = parts.signal
  }

  /**
   * Asks the user and returns the answer; `toReply` makes the server's reply of it. Never rejects.
   *
   * @param params of an `elicitation/create` or a `sampling/createMessage`
   */
  async answer(params: unknown, { kind, name, note, signal }: QuestionContext = {}): Promise<Reply> {
    this.questionCount += 1
    if (this.questionCount > maxQuestions) {
      this.clock?.stop('too-many-questions')
      return { action: 'cancel' }
    }
    const facts = withoutUndefined({ id: randomUUID() as string, name, note, server: this.server })
    const reading = kind === 'sampling' ? readSampling(params, facts) : readQuestion(params, facts)
    if (!reading.ok) return this.decline(reading.why)
    const { question } = reading
    if (question.mode === 'url' && !URL.canParse(question.url))
      return this.decline('its address is not one that a browser opens')
    this.emit({ type: 'question', question })
    this.ended ??= new AbortController()
    const signals = [this.signal, this.ended.signal, ...(signal ? [signal] : [])]
    this.clock?.pause()
    const request: QuestionRequest = {
      method: kind === 'sampling' ? 'sampling/createMessage' : 'elicitation/create',
      params: isObject(params) ? params : {},
    }
    const given: AnswerWithResult = await runWithSignals(signals, stop =>
      Promise.race([this.ask(question, stop, request), takenBack(stop)]),
    )
    this.clock?.resume()
    const { result, ...answer } = given
    this.emit({ type: 'answer', id: question.id, answer })
    if (result !== undefined) return { ...answer, result }
    const { action, content, note: why } = answer
    return action === 'accept' ? withoutUndefined({ action, content }) : withoutUndefined({ action, why })
  }

  /** Logs that the server requested something that Toolscope does not offer. Returns the sentence. */
  refuse(method: string): string {
    const what =
      method === 'sampling/createMessage'
        ? 'an answer of a language model (sampling)'
        : `"${method.slice(0, 100)}"`
    const sentence = `The server asked for ${what}. Toolscope does not offer that: declined.`
    this.logSentence(sentence)
    return sentence
  }

  /** Withdraws open questions when the call has ended. */
  end(): void {
    this.ended?.abort()
  }

  private async ask(...parts: Parameters<NonNullable<CallOptions['answer']>>): Promise<AnswerWithResult> {
    if (this.answerOf === undefined) return byToolscope('decline', 'The caller of this tool cannot be asked.')
    try {
      return await this.answerOf(...parts)
    } catch (thrown) {
      return byToolscope('cancel', `The question could not be asked: ${toErrorMessage(thrown)}`)
    }
  }

  private decline(why: string): Reply {
    this.logSentence(`A question of the server was declined: ${why}.`)
    return { action: 'decline' }
  }

  private logSentence(sentence: string): void {
    this.emit({ type: 'stderr', text: `[toolscope] ${sentence}\n` })
  }
}

const byToolscope = (action: 'decline' | 'cancel', note: string): GivenAnswer => ({
  action,
  by: 'toolscope',
  note,
})

function takenBack(signal: AbortSignal): Promise<GivenAnswer> {
  return new Promise(resolve => {
    const note = 'The call ended, or the server took the question back.'
    const end = () => resolve({ action: 'cancel', by: 'server', note })
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}

/** Returns what the server receives. Throws the error that MCP names for a user who declines to answer for a model. */
export function toReply(
  kind: QuestionKind | undefined,
  { action, content, result, why }: Reply,
): ReplyResult {
  if (result !== undefined) return result
  if (kind !== 'sampling') return withoutUndefined({ action, content })
  if (action !== 'accept')
    throw new ProtocolError(-1, why ?? 'The user declined to answer for a language model.')
  const { text = '', model = 'a person' } = content ?? {}
  const block = { type: 'text', text: String(text) } as const
  return { role: 'assistant', content: block, model: String(model), stopReason: 'endTurn' }
}

export type ReplyResult = Readonly<Record<string, unknown>>
