/**
 * Passes on what a source asks during a call to the client that made the call. A client of the legacy era receives a
 * request. A client of 2026-07-28 receives an `input_required` result and makes the call again with its answers, so the
 * call is held between the two.
 */
import { randomUUID } from 'node:crypto'
import {
  type ClientCapabilities,
  type InputRequests,
  inputRequired,
  type Progress,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server'
import { isSameJson } from '../../core/json/equality.ts'
import { isObject, type JsonObject, own, type UnknownObject } from '../../core/json/json.ts'
import { formatSampledContent, type Question } from '../../core/tool/question.ts'
import type { CallTask } from '../../core/tool/task.ts'
import type { AskPerson } from '../calls/answer-question.ts'
import type { AnswerWithResult, QuestionRequest } from '../sources/source.ts'
import { type LogMessage, LogQueue } from './pass-notifications.ts'

export type McpRequest = ServerContext['mcpReq']

/** Sends a request to the client and resolves to its result. Rejects if the client fails or the signal aborts. */
export type SendToClient = (
  request: QuestionRequest,
  question: Question,
  signal: AbortSignal,
) => Promise<unknown>

/** A running call reaches its client by these. */
export interface ClientOfCall {
  /** Aborts if the client cancels the call, or does not come back for it. */
  readonly signal: AbortSignal
  readonly ask: AskPerson | undefined
  /** Sends progress, if the client wants it and can receive it now. */
  progress(progress: Progress): Promise<void>
  /** Sends a log message with the answer to the request, if that wants messages of its level. */
  log(...message: LogMessage): void
  /** Receives each state of the task that the source made of the call. */
  onTask(task: CallTask): void
}

/** The call behind a task. */
export interface TaskCall<Result> {
  readonly ending: Promise<Result>
  cancel(): void
  /** Whether it waits for an answer of the client. */
  isAsking(): boolean
}

/** A call behind a task of 2026-07-28, whose questions the client fetches. */
export interface PolledCall<Result> extends TaskCall<Result> {
  /** Returns the questions that are not answered yet, by name. */
  takeRequests(): object
  /** Answers those questions that have a response. */
  answerSome(responses: unknown): void
}

/** Makes tasks of the calls of clients that poll for questions and results. */
interface TaskMaker<Result> {
  create(call: PolledCall<Result>): { readonly created: object; readonly change: (task?: CallTask) => void }
}

/** Milliseconds that a call waits for its client to come back with the answers. */
const defaultMaxHeldMs = 10 * 60_000
/** If more calls are held, the oldest is cancelled. */
const maxHeldCalls = 100
/** The longest that a timer accepts. The call's own limits end a question. */
const noTimeout = 2 ** 31 - 1

export const anything: StandardSchemaV1 = {
  '~standard': { version: 1, vendor: 'toolscope', validate: value => ({ value }) },
}

/** The calls that wait for their clients of 2026-07-28 to come back with answers. */
export class HeldCalls<Result extends object> {
  private readonly held = new Map<string, HeldCall<Result>>()
  private readonly maxHeldMs: number

  constructor(maxHeldMs = defaultMaxHeldMs) {
    this.maxHeldMs = maxHeldMs
  }

  /**
   * Begins a call by `begin`, or goes on with the one that the request names. Returns its result, or what its client has
   * to answer first. Throws ProtocolError `InvalidParams` if the request names no held call, or another one.
   *
   * @param capabilities of the client, as far as they are known
   * @param tasks the client accepts a task instead of the result, if the source made one
   */
  async answer(
    params: CallParams,
    request: McpRequest,
    capabilities: ClientCapabilities | undefined,
    begin: (client: ClientOfCall) => Promise<Result>,
    tasks?: TaskMaker<Result>,
  ): Promise<object> {
    const state = request.requestState<string>()
    const isModern = request.envelope !== undefined
    if (!isModern) {
      const ask = createAsker(capabilities, sendRequest(request))
      const logs = new LogQueue(request.log)
      const log = logs.push.bind(logs)
      const progress = (progress: Progress) => sendProgress(request, progress)
      const result = await begin({ signal: request.signal, ask, progress, log, onTask() {} })
      await logs.sent()
      return result
    }
    const call = state === undefined ? new HeldCall(params, capabilities, begin) : this.take(state, params)
    return call.answerRound(request, () => this.hold(call), tasks)
  }

  private hold(call: HeldCall<Result>): string {
    // Each round has a state of its own, so that a repeated request does not answer twice.
    const state = randomUUID()
    this.held.set(state, call)
    const drop = () => {
      this.held.delete(state)
      call.cancel()
    }
    call.expiry = setTimeout(drop, this.maxHeldMs).unref()
    const [oldest] = this.held
    if (oldest !== undefined && this.held.size > maxHeldCalls) {
      this.held.delete(oldest[0])
      oldest[1].cancel()
    }
    return state
  }

  private take(state: string, params: CallParams): HeldCall<Result> {
    const call = this.held.get(state)
    if (call === undefined || !isSameJson(call.params, params))
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        'No call waits for these answers: it was ended, answered before, or has other arguments.',
      )
    this.held.delete(state)
    return call
  }
}

interface CallParams {
  readonly name: string
  readonly input: UnknownObject
}

interface OpenQuestion {
  isSent: boolean
  readonly request: { readonly method: string; readonly params: UnknownObject }
  readonly resolve: (result: unknown) => void
  readonly reject: (why: Error) => void
}

class HeldCall<Result extends object> implements PolledCall<Result> {
  readonly params: CallParams
  /** Cancels the call if its client does not come back. */
  expiry: NodeJS.Timeout | undefined
  private readonly stop = new AbortController()
  private readonly open = new Map<string, OpenQuestion>()
  readonly ending: Promise<Result>
  private request: McpRequest | undefined
  /** The source made a task of the call. */
  private isTask = false
  /** Reports a change of the task that the client received. */
  private onChange: (task?: CallTask) => void = () => {}
  private onQuestion: () => void = () => {}
  private onTask: () => void = () => {}
  private onRequest: (request: McpRequest) => void = () => {}
  private readonly logs = new LogQueue(async (...message) => (await this.nextRequest()).log(...message))

  constructor(
    params: CallParams,
    capabilities: ClientCapabilities | undefined,
    begin: (client: ClientOfCall) => Promise<Result>,
  ) {
    this.params = params
    this.ending = begin({
      signal: this.stop.signal,
      ask: createAsker(capabilities, (...parts) => this.ask(...parts)),
      progress: progress => sendProgress(this.request, progress),
      log: (...message) => this.logs.push(...message),
      onTask: task => {
        this.isTask = true
        this.onTask()
        this.onChange(task)
      },
    })
    // It may end while no request waits for it.
    this.ending.catch(() => {})
  }

  cancel(): void {
    clearTimeout(this.expiry)
    this.stop.abort()
  }

  isAsking(): boolean {
    return this.open.size > 0
  }

  takeRequests(): InputRequests {
    const requests = [...this.open].map(([name, question]) => {
      question.isSent = true
      return [name, question.request]
    })
    // The client's own schemas check what it receives.
    return Object.fromEntries(requests) as InputRequests
  }

  answerSome(responses: unknown): void {
    const given = isObject(responses) ? responses : {}
    for (const [name, { resolve }] of [...this.open]) {
      const result = own(given, name)
      if (result === undefined) continue
      this.open.delete(name)
      resolve(result)
    }
    this.onChange()
  }

  /** @param hold keeps the call until the next round, and returns the state that names it */
  async answerRound(request: McpRequest, hold: () => string, tasks?: TaskMaker<Result>): Promise<object> {
    clearTimeout(this.expiry)
    this.request = request
    this.onRequest(request)
    const onAbort = () => this.cancel()
    if (request.signal.aborted) onAbort()
    request.signal.addEventListener('abort', onAbort, { once: true })
    const opened = new Promise<undefined>(resolve => {
      this.onQuestion = () => resolve(undefined)
      if (tasks !== undefined) this.onTask = this.onQuestion
    })
    this.takeAnswers(request.inputResponses ?? {})
    if (this.open.size > 0) this.onQuestion()
    if (this.isTask) this.onTask()
    try {
      const result = await Promise.race([this.ending, opened])
      await this.logs.sent()
      if (result !== undefined) return result
      if (tasks !== undefined && this.isTask) {
        const { created, change } = tasks.create(this)
        this.onChange = change
        return created
      }
      return inputRequired({ inputRequests: this.takeRequests(), requestState: hold() })
    } finally {
      request.signal.removeEventListener('abort', onAbort)
      this.request = undefined
    }
  }

  /** Rejects if the call is cancelled before its client comes back. */
  private nextRequest(): Promise<McpRequest> {
    if (this.request !== undefined) return Promise.resolve(this.request)
    const { signal } = this.stop
    return new Promise((resolve, reject) => {
      this.onRequest = resolve
      signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    })
  }

  private takeAnswers(answers: UnknownObject): void {
    for (const [name, { isSent, resolve, reject }] of [...this.open]) {
      // It was asked while the call was held.
      if (!isSent) continue
      this.open.delete(name)
      const result = own(answers, name)
      if (result === undefined) reject(new Error('the client did not answer it'))
      else resolve(result)
    }
  }

  private ask(
    { method, params }: QuestionRequest,
    question: Question,
    signal: AbortSignal,
  ): Promise<unknown> {
    const { _meta, task: _task, elicitationId: _elicitationId, ...passed } = params
    const { name = question.id } = question
    return new Promise((resolve, reject) => {
      this.open.set(name, { isSent: false, request: { method, params: passed }, resolve, reject })
      const drop = () => {
        this.open.delete(name)
        this.onChange()
      }
      signal.addEventListener('abort', drop, { once: true })
      this.onQuestion()
      this.onChange()
    })
  }
}

async function sendProgress(request: McpRequest | undefined, progress: Progress): Promise<void> {
  const progressToken = request?._meta?.progressToken
  if (request === undefined || progressToken === undefined) return
  await request.notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
}

/**
 * Sends the server's own request to a client of the legacy era, without what concerns only the two of them.
 *
 * @param meta `_meta` of the request
 */
export function sendRequest(request: McpRequest, meta?: Record<string, unknown>): SendToClient {
  return ({ method, params }, question, signal) => {
    const { _meta, task: _task, ...passed } = params
    // Revision 2025-11-25 requires an id, which a server of 2026-07-28 does not give.
    const id = question.mode === 'url' ? { elicitationId: question.id } : {}
    const options = { signal, timeout: noTimeout }
    const marked = meta === undefined ? {} : { _meta: meta }
    return request.send({ method, params: { ...id, ...passed, ...marked } }, anything, options)
  }
}

/** Returns undefined if the client declared nothing that it can be asked. */
export function createAsker(
  { elicitation, sampling }: ClientCapabilities = {},
  send: SendToClient,
): AskPerson | undefined {
  if (elicitation === undefined && sampling === undefined) return undefined
  return async (question, { signal, request }) => {
    const missing = findMissing({ elicitation, sampling }, question, request)
    if (missing !== undefined)
      return {
        action: 'decline',
        by: 'toolscope',
        note: `The client of this tool does not declare ${missing}.`,
      }
    const result = await send(request, question, signal)
    return question.purpose === 'sampling' ? readSampled(result) : readElicited(result)
  }
}

/** Returns the capability that a client needs for the question and did not declare. */
function findMissing(
  { elicitation, sampling }: Pick<ClientCapabilities, 'elicitation' | 'sampling'>,
  { purpose, mode }: Question,
  { params }: QuestionRequest,
): string | undefined {
  if (purpose === 'sampling') {
    if (sampling === undefined) return 'sampling'
    const usesTools = params.tools !== undefined || params.toolChoice !== undefined
    return usesTools && sampling.tools === undefined ? 'sampling with tools' : undefined
  }
  if (mode === 'url') return elicitation?.url === undefined ? 'elicitation of the kind url' : undefined
  // Before 2025-11-25, an elicitation without kinds was a form.
  const isForm = elicitation !== undefined && (elicitation.form ?? (elicitation.url ? undefined : {}))
  return isForm ? undefined : 'elicitation of the kind form'
}

function readElicited(result: unknown): AnswerWithResult {
  const action = isObject(result) ? own(result, 'action') : undefined
  if (!isObject(result) || (action !== 'accept' && action !== 'decline' && action !== 'cancel'))
    throw new Error('the client’s answer has no action')
  const content = own(result, 'content')
  // It was parsed from JSON.
  const given = action === 'accept' && isObject(content) ? { content: content as JsonObject } : {}
  return { action, ...given, by: 'client', result }
}

function readSampled(result: unknown): AnswerWithResult {
  const model = isObject(result) ? own(result, 'model') : undefined
  if (!isObject(result) || own(result, 'content') === undefined || typeof model !== 'string')
    throw new Error('the client’s answer has no content or no model')
  const text = formatSampledContent(own(result, 'content'))
  return { action: 'accept', content: { text, model }, by: 'client', result }
}
