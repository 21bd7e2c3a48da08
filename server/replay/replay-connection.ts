/** One client of a replayed MCP server: receives its messages, and answers them as the recording does. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { toErrorMessage } from '../../core/errors.ts'
import { isObject, type Json, type JsonObject, own, parseJson } from '../../core/json/json.ts'
import { readJson, writeJson } from '../../core/json/json-text.ts'
import type { RecordedMessage } from '../../core/wire/recording.ts'
import { readReplayKey } from '../../core/wire/replay-key.ts'
import { type RpcMessage, readRpc } from '../../core/wire/wire-message.ts'
import type { RecordingIndex } from './recording-index.ts'
import type { ReplayOrder } from './replay-order.ts'
import { unrecordedAnswer } from './unrecorded-answer.ts'

/** Receives what the server sends for one request, or, without a request, at any time. */
export interface ReplaySink {
  send(text: string, kind: 'answer' | 'message', status?: number): void
  /** The recorded server answered a request over HTTP with something else than JSON-RPC. Absent on a pipe. */
  sendRaw?(body: string, http: NonNullable<RecordedMessage['http']>): void
}

/** JSON-RPC: the method is not known. */
const methodNotFound = -32601
const invalidParams = -32602
const internalError = -32603

type RpcRequest = Extract<RpcMessage, { kind: 'request' }>

/** The messages that a request caused, while they are sent. */
interface Play {
  readonly request: RpcRequest
  readonly sink: ReplaySink
  readonly signal: AbortSignal
  /** The recorded request. */
  readonly recorded: RpcRequest | undefined
}

export class ReplayConnection {
  private readonly index: RecordingIndex
  private readonly order: ReplayOrder
  private readonly running = new Map<string, AbortController>()
  /** Resolved by the client's answer; by the id of the question as it was sent. */
  private readonly questions = new Map<string, () => void>()
  /** The ids under which questions were sent, by their recorded ids. */
  private readonly sentIds = new Map<string, { readonly id: string; readonly answered: Promise<void> }>()
  private initialized: () => void = () => {}
  private readonly isInitialized = new Promise<void>(resolve => {
    this.initialized = resolve
  })
  private plays = new Set<Promise<void>>()
  private renamed = 0

  constructor(index: RecordingIndex, order: ReplayOrder) {
    this.index = index
    this.order = order
  }

  /** Sends what the recorded server wrote before the first request. */
  async start(sink: ReplaySink): Promise<void> {
    for await (const { text } of this.index.preamble()) sink.send(text, 'message')
  }

  /**
   * Receives one message of the client. Answers, also later, go to `sink`. Returns whether the message is a request, so that
   * an answer follows. Never throws.
   */
  receive(text: string, sink: ReplaySink): boolean {
    const message = readRpc(text)
    switch (message?.kind) {
      case 'request': {
        const play = this.answer(message, text, sink).catch((thrown: unknown) =>
          sink.send(errorText(message.id, internalError, toErrorMessage(thrown)), 'answer'),
        )
        this.plays.add(play)
        void play.finally(() => this.plays.delete(play))
        return true
      }
      case 'notification':
        if (message.method === 'notifications/initialized') this.initialized()
        if (message.method === 'notifications/cancelled' && isObject(message.params))
          this.running.get(idKey(own(message.params, 'requestId')))?.abort()
        return false
      case 'result':
      case 'error':
        this.questions.get(idKey(message.id))?.()
        return false
      default:
        sink.send(errorText(null, -32700, 'This is not a JSON-RPC message.'), 'answer')
        return false
    }
  }

  /** Resolves when all answers were sent. Questions are not waited for, because the client has gone. */
  async drain(): Promise<void> {
    while (this.plays.size > 0) {
      for (const answered of this.questions.values()) answered()
      this.initialized()
      await Promise.race([Promise.allSettled(this.plays), setTimeoutPromise(20)])
    }
  }

  /** Ends what is being sent. */
  close(): void {
    for (const controller of this.running.values()) controller.abort()
    for (const answered of this.questions.values()) answered()
    this.initialized()
  }

  private async answer(request: RpcRequest, text: string, sink: ReplaySink): Promise<void> {
    const key = readReplayKey(text) ?? { method: request.method, params: {} }
    const found = await this.order.choose(key)
    if ('problem' in found) {
      const result = await unrecordedAnswer(this.index, key)
      const code = key.tool === undefined ? methodNotFound : invalidParams
      const answer =
        result === undefined ? errorText(request.id, code, found.problem) : answerText(request.id, { result })
      return sink.send(answer, 'answer')
    }
    const controller = new AbortController()
    this.running.set(idKey(request.id), controller)
    const { signal } = controller
    try {
      await this.play(found.request, request, sink, signal)
    } catch (thrown) {
      if (!signal.aborted) throw thrown
    } finally {
      this.running.delete(idKey(request.id))
    }
  }

  private async play(
    recorded: number,
    request: RpcRequest,
    sink: ReplaySink,
    signal: AbortSignal,
  ): Promise<void> {
    const first = await this.index.request(recorded)
    const rpc = readRpc(first.text)
    const play: Play = { request, sink, signal, recorded: rpc?.kind === 'request' ? rpc : undefined }
    let atMs = first.atMs
    let isAnswered = false
    for await (const message of this.index.script(recorded)) {
      if (isAnswered && request.method === 'initialize') await this.isInitialized
      await this.order.wait(message.atMs - atMs, signal)
      atMs = message.atMs
      isAnswered = (await this.send(message, play)) || isAnswered
      signal.throwIfAborted()
    }
    if (!isAnswered)
      sink.send(errorText(request.id, internalError, 'The recording ended before the answer.'), 'answer')
  }

  /** Sends one recorded message, or waits for the client's part. Returns whether it was the answer of the request. */
  private async send(message: RecordedMessage, { request, recorded, sink, signal }: Play): Promise<boolean> {
    const rpc = readRpc(message.text)
    if (message.direction === 'sent') {
      if (rpc !== undefined && 'id' in rpc) await this.sentIds.get(idKey(rpc.id))?.answered
      return false
    }
    if (rpc === undefined) {
      if (message.part !== 'response') {
        sink.send(message.text, 'message')
        return false
      }
      const { status } = message.http ?? {}
      if (message.http !== undefined && sink.sendRaw !== undefined) sink.sendRaw(message.text, message.http)
      else
        sink.send(
          errorText(request.id, internalError, `The recorded server answered HTTP ${status}.`),
          'answer',
        )
      return true
    }
    if (rpc.kind === 'notification') {
      const text = withParams(message.text, params => connectNotification(params, request, recorded))
      if (text !== undefined) sink.send(text, 'message')
      return false
    }
    if (rpc.kind === 'request') {
      sink.send(withId(message.text, this.ask(rpc.id, signal)), 'message')
      return false
    }
    const text =
      message.isCut === true && !readJson(message.text).ok
        ? undefined
        : withId(message.text, request.id as Json)
    sink.send(
      text ??
        errorText(request.id, internalError, 'The recording contains only the beginning of this answer.'),
      'answer',
      message.http?.status,
    )
    return true
  }

  /** Returns the id under which a recorded question is sent: its own, unless the same question is being asked already. */
  private ask(recorded: unknown, signal: AbortSignal): Json {
    let answered: () => void = () => {}
    const wait = new Promise<void>(resolve => {
      answered = resolve
    })
    let id = recorded as Json
    if (this.questions.has(idKey(recorded))) {
      this.renamed += 1
      id = `replay-${this.renamed}`
    }
    const key = idKey(id)
    this.questions.set(key, () => {
      this.questions.delete(key)
      answered()
    })
    signal.addEventListener('abort', () => this.questions.get(key)?.(), { once: true })
    this.sentIds.set(idKey(recorded), { id: key, answered: wait })
    return id
  }
}

const idKey = (id: unknown) => JSON.stringify(id) ?? ''

/**
 * Connects a notification to the new request: its progress token and its subscription. Returns undefined if the client
 * asked for no progress.
 */
function connectNotification(
  params: JsonObject,
  request: RpcRequest,
  recorded: RpcRequest | undefined,
): JsonObject | undefined {
  const changed: Record<string, Json> = { ...params }
  const recordedToken = readMeta(recorded?.params, 'progressToken')
  if (recordedToken !== undefined && idKey(own(params, 'progressToken')) === idKey(recordedToken)) {
    const token = readMeta(request.params, 'progressToken')
    if (token === undefined) return undefined
    changed.progressToken = token as Json
  }
  const meta = own(params, '_meta')
  const isOfSubscription =
    recorded !== undefined && idKey(readMeta(params, subscriptionId)) === idKey(recorded.id)
  if (isObject(meta) && isOfSubscription)
    changed._meta = { ...(meta as JsonObject), [subscriptionId]: request.id as Json }
  return changed
}

const subscriptionId = 'io.modelcontextprotocol/subscriptionId'

function readMeta(params: unknown, key: string): unknown {
  const meta = isObject(params) ? own(params, '_meta') : undefined
  return isObject(meta) ? own(meta, key) : undefined
}

/** Returns a message with another id; its numbers keep their digits. */
function withId(text: string, id: Json): string {
  const read = readJson(text)
  if (read.ok && isObject(read.value)) return writeJson({ ...read.value, id }, 0)
  // A value that is nested too deeply for it.
  const message = parseJson(text)
  return isObject(message) ? JSON.stringify({ ...message, id }) : text
}

function withParams(
  text: string,
  change: (params: JsonObject) => JsonObject | undefined,
): string | undefined {
  const read = readJson(text)
  const message = read.ok ? read.value : undefined
  const params = isObject(message) ? own(message, 'params') : undefined
  if (!isObject(message) || !isObject(params)) return text
  // `readJson` returned the message, so its members are JSON.
  const changed = change(params as JsonObject)
  return changed === undefined ? undefined : writeJson({ ...message, params: changed }, 0)
}

const answerText = (id: unknown, member: object) => JSON.stringify({ jsonrpc: '2.0', id, ...member })

const errorText = (id: unknown, code: number, message: string) => answerText(id, { error: { code, message } })
