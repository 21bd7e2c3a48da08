/** Connects Toolscope's own MCP client to a replayed server in the same process. */
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isObject, own, parseJson } from '../../core/json/json.ts'
import { exactBody, rememberResult } from '../mcp-client/exact-json.ts'
import { keepResults } from '../mcp-client/keep-results.ts'
import {
  connectError,
  legacy,
  type McpConnection,
  type McpConnectionEvents,
  prepareClient,
  watched,
} from '../mcp-client/mcp-connection.ts'
import type { RecordingIndex } from './recording-index.ts'
import { ReplayConnection } from './replay-connection.ts'
import { type ReplayOptions, ReplayOrder } from './replay-order.ts'

/** Completes the handshake with a recorded server, in the era of the recording. Throws AppError `source-failed`. */
export async function connectReplay(
  index: RecordingIndex,
  options: ReplayOptions,
  events: McpConnectionEvents,
  signal: AbortSignal,
): Promise<McpConnection> {
  const client = prepareClient(events)
  const era = index.isModern ? {} : legacy
  const transport = keepResults(new ReplayTransport(index, options))
  try {
    await client.connect(transport, { timeout: events.answerTimeoutMs, signal, ...era })
  } catch (thrown) {
    throw connectError(thrown, index.file, undefined, '', false)
  }
  return watched(client, events)
}

class ReplayTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  /** With `pid`, this property makes the SDK recognise a pipe instead of an HTTP connection, for its probe. */
  readonly stderr = null
  readonly pid = null
  private readonly connection: ReplayConnection
  private isClosed = false

  constructor(index: RecordingIndex, options: ReplayOptions) {
    this.connection = new ReplayConnection(index, new ReplayOrder(index, options))
  }

  async start(): Promise<void> {
    // The output of a server before the first request is not part of an answer.
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.connection.receive(exactBody(JSON.stringify(message)), { send: text => this.read(text) })
  }

  async close(): Promise<void> {
    if (this.isClosed) return
    this.isClosed = true
    this.connection.close()
    this.onclose?.()
  }

  private read(text: string): void {
    const message = parseJson(text)
    if (this.isClosed || !isObject(message) || own(message, 'jsonrpc') === undefined) return
    rememberResult(message, text)
    // The protocol layer determines the kind of message, and ignores unknown ones.
    this.onmessage?.(message as unknown as JSONRPCMessage)
  }
}
