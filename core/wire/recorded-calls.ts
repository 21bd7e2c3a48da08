/** The calls of tools in a recording: what was sent, and the answer if there is one. */
import { parse, stringify } from 'lossless-json'
import { isObject, own } from '../json/json.ts'
import { bridgedTool, readRpc, type WireMessage } from './wire-message.ts'

export interface RecordedCall {
  readonly tool: string
  /** The exact JSON text of the input; `{}` if the request had none. */
  readonly inputText: string
  /** The number of the message that made the call. */
  readonly seq: number
  readonly atMs: number
  readonly callId?: string | undefined
  /** Absent if the recording ended before the answer. */
  readonly answer?: RecordedAnswer
}

export interface RecordedAnswer {
  /** The number of the message that ended the call. */
  readonly seq: number
  readonly durationMs: number
  /**
   * MCP: the exact JSON text of `result`, or of `error` if `isProtocolError`. A bridge: the body. A program: its stdout,
   * or the text of `LLM_OUTPUT`.
   */
  readonly text: string
  readonly isProtocolError?: boolean
  readonly status?: number
  readonly exitCode?: number
  /** A program's stderr. */
  readonly stderr?: string
}

/**
 * Returns the calls of one source, in the order in which they were sent. An MCP call pairs by its id: over stdio with
 * the next answer of that id, over HTTP with the answer in the same exchange. The result of a task is not followed: the
 * answer of its call is the task.
 *
 * @param messages of one source, in their order
 */
export function readRecordedCalls(messages: Iterable<WireMessage>): readonly RecordedCall[] {
  const reader = new RecordedCallReader()
  for (const message of messages) reader.add(message)
  return reader.calls()
}

type OpenCall = { readonly call: RecordedCall; answer?: RecordedAnswer }

/** Reads the calls of one source message by message, and stores nothing but calls and answers. */
export class RecordedCallReader {
  private readonly entries: OpenCall[] = []
  private readonly waiting = new Map<string, OpenCall>()
  private readonly outputs = new Map<number, { stdout: string; stderr: string }>()

  calls(): readonly RecordedCall[] {
    return this.entries.map(({ call, answer }) => (answer === undefined ? call : { ...call, answer }))
  }

  add(message: WireMessage): void {
    const { exchange = 0, part, text } = message
    if (part === 'stdout' || part === 'stderr') {
      const output = this.outputs.get(exchange)
      if (output !== undefined) output[part] += text
    } else if (part === 'start' || part === 'end') this.addRun(message, exchange)
    else if (!this.addBridged(message, exchange)) this.addRpc(message, exchange)
  }

  private addRun({ part, run, text, ...message }: WireMessage, exchange: number): void {
    if (part === 'start') {
      this.outputs.set(exchange, { stdout: '', stderr: '' })
      if (run?.tool !== undefined) this.begin(`run ${exchange}`, run.tool, text, message)
      return
    }
    const { stdout = '', stderr = '' } = this.outputs.get(exchange) ?? {}
    this.outputs.delete(exchange)
    const exit = run?.exitCode === undefined ? {} : { exitCode: run.exitCode }
    this.finish(`run ${exchange}`, message, { text: run?.output ?? stdout, stderr, ...exit })
  }

  /** Returns whether the message belongs to a call of a bridge. */
  private addBridged({ part, http, text, ...message }: WireMessage, exchange: number): boolean {
    const key = `bridge ${exchange}`
    const tool = part === 'request' ? bridgedTool(http) : undefined
    if (tool !== undefined) this.begin(key, tool, text, message)
    else if (part === 'response' && this.waiting.has(key))
      this.finish(key, message, { text, ...(http?.status !== undefined && { status: http.status }) })
    else return false
    return true
  }

  private addRpc({ direction, text, ...message }: WireMessage, exchange: number): void {
    const rpc = readRpc(text)
    if (rpc === undefined || rpc.kind === 'notification') return
    const key = `rpc ${exchange} ${JSON.stringify(rpc.id)}`
    if (rpc.kind === 'request') {
      const tool = isObject(rpc.params) ? own(rpc.params, 'name') : undefined
      if (direction === 'sent' && rpc.method === 'tools/call' && typeof tool === 'string')
        this.begin(key, tool, memberText(text, ['params', 'arguments']) ?? '', message)
    } else if (direction === 'received' && this.waiting.has(key))
      this.finish(key, message, {
        text: memberText(text, [rpc.kind]) ?? 'null',
        ...(rpc.kind === 'error' && { isProtocolError: true }),
      })
  }

  private begin(
    key: string,
    tool: string,
    inputText: string,
    { seq, atMs, callId }: Pick<WireMessage, 'seq' | 'atMs' | 'callId'>,
  ): void {
    const entry = { call: { tool, inputText: inputText === '' ? '{}' : inputText, seq, atMs, callId } }
    this.entries.push(entry)
    this.waiting.set(key, entry)
  }

  private finish(
    key: string,
    { seq, atMs }: Pick<WireMessage, 'seq' | 'atMs'>,
    answer: Omit<RecordedAnswer, 'seq' | 'durationMs'>,
  ): void {
    const entry = this.waiting.get(key)
    if (entry === undefined) return
    this.waiting.delete(key)
    entry.answer = { seq, durationMs: Math.max(0, atMs - entry.call.atMs), ...answer }
  }
}

/** Replaces a text that is nested too deeply. It is not JSON, so that it is never taken for an input. */
const unreadable = '(nested too deeply)'

/** Returns a member of a JSON text as text, its numbers exact; undefined if it is absent. */
function memberText(text: string, path: readonly string[]): string | undefined {
  try {
    let value: unknown = parse(text)
    for (const key of path) value = isObject(value) ? own(value, key) : undefined
    return value === undefined ? undefined : stringify(value)
  } catch {
    return unreadable
  }
}
