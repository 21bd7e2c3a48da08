/** The calls of tools in a recording: what was sent, and the answer if there is one. */
import { parse, stringify } from 'lossless-json'
import { isObject, own } from '../json/json.ts'
import { bridgedTool, readRpc, type WireMessage } from './wire-message.ts'

export interface RecordedCall {
  readonly tool: string
  /** The exact JSON text of the input; `{}` if the request had none. */
  readonly inputText: string
  /** Of the message that made the call. */
  readonly seq: number
  readonly atMs: number
  readonly callId?: string | undefined
  /** Absent if the recording ended before the answer. */
  readonly answer?: RecordedAnswer
}

export interface RecordedAnswer {
  /** Of the message that ended the call. */
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
  const calls: { call: RecordedCall; answer?: RecordedAnswer }[] = []
  const waiting = new Map<string, { call: RecordedCall; answer?: RecordedAnswer }>()
  const outputs = new Map<number, { stdout: string; stderr: string }>()
  const begin = (key: string, call: RecordedCall) => {
    const entry = { call }
    calls.push(entry)
    waiting.set(key, entry)
  }
  const finish = (
    key: string,
    seq: number,
    atMs: number,
    answer: Omit<RecordedAnswer, 'seq' | 'durationMs'>,
  ) => {
    const entry = waiting.get(key)
    if (entry === undefined) return
    waiting.delete(key)
    entry.answer = { seq, durationMs: Math.max(0, atMs - entry.call.atMs), ...answer }
  }
  for (const message of messages) {
    const { seq, atMs, callId, exchange = 0, part, run, http, text } = message
    if (part === 'start') {
      outputs.set(exchange, { stdout: '', stderr: '' })
      if (run?.tool !== undefined)
        begin(`run ${exchange}`, { tool: run.tool, inputText: text === '' ? '{}' : text, seq, atMs, callId })
    } else if (part === 'stdout' || part === 'stderr') {
      const output = outputs.get(exchange)
      if (output !== undefined) output[part] += text
    } else if (part === 'end') {
      const { stdout = '', stderr = '' } = outputs.get(exchange) ?? {}
      outputs.delete(exchange)
      const answer = {
        text: run?.output ?? stdout,
        stderr,
        ...(run?.exitCode !== undefined && { exitCode: run.exitCode }),
      }
      finish(`run ${exchange}`, seq, atMs, answer)
    } else {
      const bridged = part === 'request' ? bridgedTool(http) : undefined
      if (bridged !== undefined) {
        begin(`bridge ${exchange}`, {
          tool: bridged,
          inputText: text === '' ? '{}' : text,
          seq,
          atMs,
          callId,
        })
        continue
      }
      if (part === 'response' && waiting.has(`bridge ${exchange}`)) {
        finish(`bridge ${exchange}`, seq, atMs, {
          text,
          ...(http?.status !== undefined && { status: http.status }),
        })
        continue
      }
      const rpc = readRpc(text)
      if (rpc === undefined || rpc.kind === 'notification') continue
      const key = `rpc ${exchange} ${JSON.stringify(rpc.id)}`
      if (rpc.kind === 'request') {
        const tool = isObject(rpc.params) ? own(rpc.params, 'name') : undefined
        if (message.direction !== 'sent' || rpc.method !== 'tools/call' || typeof tool !== 'string') continue
        begin(key, { tool, inputText: memberText(text, ['params', 'arguments']) ?? '{}', seq, atMs, callId })
      } else if (message.direction === 'received') {
        const isProtocolError = rpc.kind === 'error'
        const member = memberText(text, [rpc.kind]) ?? 'null'
        finish(key, seq, atMs, { text: member, ...(isProtocolError && { isProtocolError }) })
      }
    }
  }
  return calls.map(({ call, answer }) => (answer === undefined ? call : { ...call, answer }))
}

/** Returns a member of a JSON text as text, its numbers exact; undefined if it is absent. */
function memberText(text: string, path: readonly string[]): string | undefined {
  let value: unknown = parse(text)
  for (const key of path) value = isObject(value) ? own(value, key) : undefined
  return value === undefined ? undefined : stringify(value)
}
