/**
 * The facts of each message of a source: the request of an answer, the time between them, the tool, and what breaks the
 * protocol.
 */
import { z } from 'zod'
import { isObject, own, parseJson, withoutUndefined } from '../json/json.ts'
import { list } from '../json/zod-shapes.ts'
import { bridgedTool, type RpcMessage, toRpc, type WireMessage, wireMessage } from './wire-message.ts'

export const rpcKinds = ['request', 'notification', 'result', 'error'] as const

/**
 * A breach of the protocol.
 *
 * - `not-json`: a line of stdout, a body or an event that is not JSON
 * - `unknown-id`: an answer to an id that was not requested
 * - `second-answer`: a second answer to one id
 * - `invalid`: the message does not fit the schema of MCP
 */
const violation = z.object({
  code: z.enum(['not-json', 'unknown-id', 'second-answer', 'invalid']),
  message: z.string(),
})
export type WireViolation = z.infer<typeof violation>

/** A message in a list, without its text. */
export const wireRow = wireMessage
  .pick({ seq: true, atMs: true, direction: true, part: true, bytes: true })
  .extend({
    isCut: z.boolean().exactOptional(),
    exchange: z.number().exactOptional(),
    callId: z.string().exactOptional(),
    /** The kind of JSON-RPC; absent if it is something else. */
    kind: z.enum(rpcKinds).exactOptional(),
    /** An answer has the method of its request. */
    method: z.string().exactOptional(),
    /** The tool that is called, or of which this is the answer. */
    tool: z.string().exactOptional(),
    /** The JSON text of the id: `1`, `"a"`. */
    id: z.string().exactOptional(),
    /** The answer to this request, or the request of this answer. */
    pairSeq: z.number().exactOptional(),
    /** Milliseconds from the request to its answer; both rows have it. */
    latencyMs: z.number().exactOptional(),
    /** The status of an HTTP answer. */
    status: z.number().exactOptional(),
    /** The exit code at the end of a run. */
    exitCode: z.number().exactOptional(),
    /** An error of JSON-RPC or HTTP, a result with `isError`, or a run that failed. */
    isError: z.boolean().exactOptional(),
    violations: list(violation).exactOptional(),
    /** The first 200 characters of the text, on one line. */
    preview: z.string(),
  })
export type WireRow = z.infer<typeof wireRow>

/** The relations of a message to those before and after it. Not masked. */
export interface WireFacts {
  callId?: string | undefined
  readonly kind?: RpcMessage['kind'] | undefined
  method?: string | undefined
  tool?: string | undefined
  readonly id?: string | undefined
  pairSeq?: number | undefined
  latencyMs?: number | undefined
  readonly isError: boolean
  readonly violations: WireViolation[]
}

/** Returns why a message does not fit the schema of MCP; undefined if it does. `method` is that of an answer's request. */
export type CheckMessage = (rpc: RpcMessage, method: string | undefined) => string | undefined

interface SeenMessage {
  readonly seq: number
  readonly atMs: number
  readonly facts: WireFacts
}

/** Answered ids that are remembered, to find second answers. */
const maxAnswered = 20_000

export class WireIndex {
  private readonly check: CheckMessage
  /** Requests without an answer, by direction and id, and by exchange too. */
  private readonly waiting = new Map<string, SeenMessage>()
  private readonly answered = new Map<string, number>()
  private readonly runs = new Map<number, SeenMessage>()
  private hasGap = false

  constructor(check: CheckMessage = () => undefined) {
    this.check = check
  }

  /** Says that messages are missing before the next one: an answer may have no request. */
  skip(): void {
    this.hasGap = true
  }

  /** Returns the facts of the next message. Later messages add to them. */
  add(message: WireMessage): WireFacts {
    if (message.part === 'message' || message.part === 'event') return this.addRpc(message)
    if (message.part === 'request' || message.part === 'response') return this.addHttp(message)
    return this.addRun(message)
  }

  private addRun({ seq, atMs, part, exchange = 0, callId, run }: WireMessage): WireFacts {
    const failed = part === 'end' && ((run?.exitCode ?? 0) !== 0 || run?.signal !== undefined)
    const facts: WireFacts = { callId, tool: run?.tool, isError: failed, violations: [] }
    if (part === 'start') this.runs.set(exchange, { seq, atMs, facts })
    const start = this.runs.get(exchange)
    if (start === undefined || part === 'start') return facts
    facts.callId ??= start.facts.callId
    facts.tool ??= start.facts.tool
    if (part !== 'end') return facts
    this.runs.delete(exchange)
    pair(start, { seq, atMs, facts })
    return facts
  }

  private addHttp(message: WireMessage): WireFacts {
    const { seq, atMs, part, exchange = 0, http, text } = message
    const facts = text === '' ? undefined : this.addRpc(message)
    const isError = (http?.status ?? 0) >= 400
    const all: WireFacts = facts ?? { callId: message.callId, isError, violations: [] }
    const tool = part === 'request' ? bridgedTool(http) : undefined
    all.tool ??= tool
    const merged = isError && !all.isError ? Object.assign(all, { isError }) : all
    const own: SeenMessage = { seq, atMs, facts: merged }
    if (part === 'request') {
      this.runs.set(exchange, own)
      return merged
    }
    const request = this.runs.get(exchange)
    this.runs.delete(exchange)
    if (request === undefined) return merged
    merged.callId ??= request.facts.callId
    merged.tool ??= request.facts.tool
    merged.method ??= request.facts.method
    // A request of JSON-RPC is paired with the answer to its id, which may be an event.
    if (request.facts.kind !== 'request' && merged.pairSeq === undefined) pair(request, own)
    return merged
  }

  private addRpc(message: WireMessage): WireFacts {
    const { seq, atMs, direction, callId, text, exchange } = message
    const value = parseJson(text)
    const rpc = toRpc(value)
    const violations: WireViolation[] = []
    if (rpc === undefined) {
      const problem = describeOther(message, value)
      if (problem !== undefined) violations.push(problem)
      return { callId, isError: false, violations }
    }
    const id = 'id' in rpc ? JSON.stringify(rpc.id) : undefined
    const facts: WireFacts = {
      callId,
      kind: rpc.kind,
      ...(id !== undefined && { id }),
      isError: rpc.kind === 'error' || (rpc.kind === 'result' && isFailedResult(rpc.result)),
      violations,
    }
    const own: SeenMessage = { seq, atMs, facts }
    if (rpc.kind === 'request' || rpc.kind === 'notification') {
      facts.method = rpc.method
      facts.tool = rpc.method === 'tools/call' ? readName(rpc.params) : undefined
      if (rpc.kind === 'request') this.begin(own, direction, exchange)
      else this.joinProgress(facts, rpc.params, direction)
    } else {
      const problem = this.finish(own, direction, exchange)
      if (problem !== undefined) violations.push(problem)
    }
    const invalid = isObject(value) ? this.findInvalid(value, rpc, facts.method) : undefined
    if (invalid !== undefined) violations.push({ code: 'invalid', message: invalid })
    return facts
  }

  private begin(own: SeenMessage, direction: WireMessage['direction'], exchange: number | undefined): void {
    for (const key of listKeys(direction, own.facts.id, exchange)) {
      this.waiting.set(key, own)
      this.answered.delete(key)
    }
  }

  private finish(
    own: SeenMessage,
    direction: WireMessage['direction'],
    exchange: number | undefined,
  ): WireViolation | undefined {
    const keys = listKeys(direction === 'sent' ? 'received' : 'sent', own.facts.id, exchange)
    const key = keys.find(each => this.waiting.has(each))
    const request = key === undefined ? undefined : this.waiting.get(key)
    if (request !== undefined) {
      for (const [each, waiting] of keys.map(each => [each, this.waiting.get(each)] as const))
        if (waiting === request) this.waiting.delete(each)
      for (const each of keys) this.answered.set(each, request.seq)
      for (const oldest of this.answered.keys()) {
        if (this.answered.size <= maxAnswered) break
        this.answered.delete(oldest)
      }
      own.facts.method = request.facts.method
      own.facts.tool = request.facts.tool
      own.facts.callId ??= request.facts.callId
      pair(request, own)
      return undefined
    }
    const before = keys.map(each => this.answered.get(each)).find(seq => seq !== undefined)
    if (before !== undefined) {
      own.facts.pairSeq = before
      return { code: 'second-answer', message: `The request ${own.facts.id} has an answer already.` }
    }
    // An error without an id answers a message that could not be read.
    if (this.hasGap || own.facts.id === undefined || own.facts.id === 'null') return undefined
    return { code: 'unknown-id', message: `No request has the id ${own.facts.id}.` }
  }

  /** The token of a progress is the id of its request (the SDK's way), so it belongs to the same call. */
  private joinProgress(facts: WireFacts, params: unknown, direction: WireMessage['direction']): void {
    const token = isObject(params) ? (own(params, 'progressToken') ?? own(params, 'requestId')) : undefined
    if (token === undefined) return
    const from = facts.method === 'notifications/cancelled' ? direction : opposite(direction)
    const request = this.waiting.get(`${from} ${JSON.stringify(token)}`)
    facts.callId ??= request?.facts.callId
    facts.tool ??= request?.facts.tool
  }

  /** The envelope of JSON-RPC 2.0, then the schema of the method. */
  private findInvalid(value: object, rpc: RpcMessage, method: string | undefined): string | undefined {
    if (own(value as { [key: string]: unknown }, 'jsonrpc') !== '2.0') return 'jsonrpc: must be "2.0"'
    if (rpc.kind === 'request' || rpc.kind === 'result') {
      const isId = typeof rpc.id === 'string' || Number.isInteger(rpc.id)
      if (!isId) return 'id: must be a text or an integer'
    }
    if (rpc.kind === 'error') {
      const { error } = rpc
      const isError = isObject(error) && Number.isInteger(error.code) && typeof error.message === 'string'
      return isError ? undefined : 'error: must have an integer "code" and a text "message"'
    }
    return this.check(rpc, method)
  }
}

const opposite = (direction: WireMessage['direction']) => (direction === 'sent' ? 'received' : 'sent')

/** The exchange first: ids repeat over HTTP if several clients use the source. */
function listKeys(
  direction: string,
  id: string | undefined,
  exchange: number | undefined,
): readonly string[] {
  const key = `${direction} ${id}`
  return exchange === undefined ? [key] : [`${exchange} ${key}`, key]
}

function pair(request: SeenMessage, answer: SeenMessage): void {
  const latencyMs = Math.max(0, answer.atMs - request.atMs)
  Object.assign(request.facts, { pairSeq: answer.seq, latencyMs })
  Object.assign(answer.facts, { pairSeq: request.seq, latencyMs })
}

const isFailedResult = (result: unknown) => isObject(result) && own(result, 'isError') === true

function readName(params: unknown): string | undefined {
  const name = isObject(params) ? own(params, 'name') : undefined
  return typeof name === 'string' ? name : undefined
}

/** Describes a text that is not JSON-RPC, where MCP requires it. A batch is allowed until 2025-03-26. */
function describeOther(
  { direction, part, text, http }: WireMessage,
  value: unknown,
): WireViolation | undefined {
  if (direction === 'sent' || text.trim() === '' || Array.isArray(value)) return undefined
  if (part === 'message')
    return value === undefined
      ? { code: 'not-json', message: 'A line of stdout that is not JSON: stdout is for messages only.' }
      : { code: 'invalid', message: 'A line of stdout that is not a message of JSON-RPC.' }
  // The first event of the transport of 2024 names an address.
  if (part === 'event')
    return value === undefined && http?.event !== 'endpoint'
      ? { code: 'not-json', message: 'The data of the event is not JSON.' }
      : undefined
  const type = Object.entries(http?.headers ?? {}).find(([name]) => /^content-type$/i.test(name))?.[1]
  return part === 'response' && value === undefined && /\bjson\b/i.test(type ?? '')
    ? { code: 'not-json', message: `The answer says that it is ${type}, and is not JSON.` }
    : undefined
}

/** Returns the row of a message. @param message masked @param preview of the masked text */
export function toWireRow(message: WireMessage, facts: WireFacts, preview: string): WireRow {
  const { seq, atMs, direction, part, bytes, isCut, exchange, http, run } = message
  const { callId, kind, method, tool, id, pairSeq, latencyMs, isError, violations } = facts
  return {
    ...{ seq, atMs, direction, part, bytes, preview },
    ...withoutUndefined({
      ...{ isCut, exchange, callId, kind, method, tool, id, pairSeq, latencyMs },
      status: http?.status,
      exitCode: run?.exitCode,
      isError: isError || undefined,
      violations: violations.length === 0 ? undefined : violations,
    }),
  }
}
