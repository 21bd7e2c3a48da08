/** A connected client: its process or URL, the handshake of the server's protocol era, and its end. */
import {
  type Client,
  type CreateMessageResult,
  type ElicitResult,
  ProtocolError,
  ProtocolErrorCode,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
} from '@modelcontextprotocol/client'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { isObject } from '../../core/json/json.ts'
import { isWebPage } from '../../core/json/json-mistake.ts'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { LogLevel } from '../../core/tool/log-line.ts'
import type { ServerNotification } from '../sources/source.ts'
import type { AskQuestion } from './call-questions.ts'
import { keepResults } from './keep-results.ts'
import { anything, type ClientOffer, createClient, isModern } from './lenient-client.ts'
import { QuestionTasks } from './question-tasks.ts'
import type { ServerLog } from './server-log.ts'
import { type ServerProcess, StdioTransport } from './stdio-transport.ts'

/**
 * Milliseconds for one answer to the handshake or the list, unless configured; `npx` may have to install the server
 * first.
 */
export const defaultAnswerTimeoutMs = 60_000
/** A process that does not answer the first request in this time is treated as a server of the old era. */
const stdioProbeTimeoutMs = 4_000

/** Makes a client use the old era. */
export const legacy = { prior: { kind: 'legacy' } } as const

export interface McpConnection {
  readonly client: Client
  /** The negotiated revision: `2025-11-25`. */
  readonly protocol: string
  /** Whether the server is a program that Toolscope started. */
  readonly ownsProcess: boolean
  readonly offer: ClientOffer
  /** Returns how the program ended, if it has: `exited (code 1)`. */
  ending(): string | undefined
  /** Returns why Toolscope ended it, if it sent something that is not accepted. */
  refusal(): AppError | undefined
  close(): Promise<void>
}

export interface McpConnectionEvents {
  readonly log: ServerLog
  /** Milliseconds for each answer to the handshake and the list. */
  readonly answerTimeoutMs: number
  /**
   * Called when a server of the old era asks a question; the signal aborts if it withdraws the question.
   */
  readonly onQuestion: AskQuestion
  readonly offer: ClientOffer
  /** Called when the server requests something that Toolscope does not offer. Returns a sentence that describes it. */
  readonly refused: (method: string) => string | undefined
  /** Called with the methods of the lists that the server says have changed. */
  readonly listsChanged: (methods: readonly string[]) => void
  /** Called with a notification that also concerns the client behind Toolscope. */
  readonly notified: (notification: ServerNotification) => void
  /** Called when a subscribed resource changed. */
  readonly resourceChanged: (uri: string) => void
  /** Called when the connection ended without `close`. */
  readonly lost: (connection: McpConnection) => void
}

/**
 * Starts a server and completes the handshake. Throws AppError `source-not-found`, `source-not-runnable`,
 * `source-timeout` or `source-failed`, with the server's stderr as its output.
 */
export async function connectProcess(
  program: Omit<ServerProcess, 'log'>,
  events: McpConnectionEvents,
  signal: AbortSignal,
): Promise<McpConnection> {
  // A pinned era has no other to try, so the first answer may take as long as each.
  const probeMs =
    events.offer.era === 'modern'
      ? events.answerTimeoutMs
      : Math.min(stdioProbeTimeoutMs, events.answerTimeoutMs)
  let from = events.log.position
  let transport = new StdioTransport({ ...program, log: events.log })
  let client = prepareClient(events, probeMs)
  const keepCalls = (kept: StdioTransport) =>
    keepResults(kept, program.wire && { onSend: (message, options) => kept.calls.note(message, options) })
  try {
    try {
      await client.connect(keepCalls(transport), { timeout: events.answerTimeoutMs, signal })
    } catch (thrown) {
      // Some servers of the old era exit after an unknown first message. They are started again.
      if (events.offer.era !== 'auto' || !endedDuringProbe(thrown) || signal.aborted) throw thrown
      from = events.log.position
      transport = new StdioTransport({ ...program, log: events.log })
      client = prepareClient(events, probeMs)
      await client.connect(keepCalls(transport), { timeout: events.answerTimeoutMs, signal, ...legacy })
    }
  } catch (thrown) {
    await transport.close()
    const output = events.log.text(from)
    throw (
      transport.refusal ??
      eraError(thrown, program.label, events) ??
      connectError(thrown, program.label, transport.ending, output, true)
    )
  }
  return watched(client, events, transport)
}

/** A restarted HTTP server does not know the session. It did nothing, so the call may be sent again. */
export const isForgotten = (ending: SessionEvent) =>
  ending.type === 'failure' && ending.reason === 'network' && ending.meta?.status === 404

/** Returns whether the server answers any request at all. An error of JSON-RPC is an answer. */
export async function answersPing(
  { client, protocol, ending }: McpConnection,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<boolean> {
  // Revision 2026-07-28 has no `ping`.
  const method = isModern(protocol) ? 'tools/list' : 'ping'
  try {
    await client.request({ method }, anything, { signal, timeout: timeoutMs })
  } catch (thrown) {
    if (!(thrown instanceof ProtocolError) && !signal.aborted) return false
  }
  return ending() === undefined
}

/** @param probeTimeoutMs over HTTP, an unanswered first request is an error, so it gets the time limit of the other requests */
export function prepareClient(events: McpConnectionEvents, probeTimeoutMs = events.answerTimeoutMs): Client {
  const client = createClient(events.listsChanged, probeTimeoutMs, events.offer)
  client.onerror = (error: NodeJS.ErrnoException) => {
    // A program that has ended reports the reason itself.
    if (error.code !== 'EPIPE') events.log.line(error.message)
  }
  new QuestionTasks(client, events.onQuestion, events.offer)
  // The SDK's answer types do not allow JSON that keeps its digits.
  client.setRequestHandler('elicitation/create', { params: anything }, async (params, { mcpReq }) => {
    return (await events.onQuestion('elicitation', params, mcpReq.signal)) as ElicitResult
  })
  if (events.offer.sampling)
    client.setRequestHandler('sampling/createMessage', { params: anything }, async (params, { mcpReq }) => {
      return (await events.onQuestion('sampling', params, mcpReq.signal)) as unknown as CreateMessageResult
    })
  client.setRequestHandler('roots/list', { params: anything }, async () => ({
    roots: [...events.offer.roots],
  }))
  client.fallbackRequestHandler = async ({ method }) => {
    const sentence = events.refused(method) ?? `Toolscope does not offer ${method}`
    throw new ProtocolError(ProtocolErrorCode.MethodNotFound, sentence)
  }
  client.setNotificationHandler('notifications/resources/updated', ({ params }) =>
    events.resourceChanged(params.uri),
  )
  client.setNotificationHandler('notifications/message', ({ params }) => {
    events.log.message(params)
    events.notified({ method: 'notifications/message', params })
  })
  client.setNotificationHandler('notifications/elicitation/complete', ({ params }) =>
    events.notified({ method: 'notifications/elicitation/complete', params }),
  )
  return client
}

/** Returns a connection that reports an unexpected end. `close` runs `beforeClose` first. */
export function watched(
  client: Client,
  events: McpConnectionEvents,
  process?: StdioTransport,
  beforeClose?: () => Promise<void>,
): McpConnection {
  let closing = false
  const connection: McpConnection = {
    client,
    protocol: client.getNegotiatedProtocolVersion() ?? 'unknown',
    ownsProcess: process !== undefined,
    offer: events.offer,
    ending: () => process?.ending,
    refusal: () => process?.refusal,
    async close() {
      closing = true
      await beforeClose?.()
      await client.close().catch(() => {})
      await process?.close()
    },
  }
  client.onclose = () => {
    if (!closing) events.lost(connection)
  }
  return connection
}

/**
 * Sets the lowest level of the messages that a server of the legacy era sends. A modern one receives it with each call
 * (`call-tool.ts`). Never rejects: the log says that the server refused.
 */
export async function sendLogLevel(
  { client, protocol }: McpConnection,
  level: LogLevel | undefined,
  log: ServerLog,
  timeout: number,
): Promise<void> {
  if (level === undefined || isModern(protocol) || client.getServerCapabilities()?.logging === undefined)
    return
  await client.setLoggingLevel(level, { timeout }).catch((thrown: unknown) => {
    log.line(`The server refused the log level ${level}: ${toErrorMessage(thrown).slice(0, 300)}`)
  })
}

/** Returns the error of a server that does not speak the era which its source is fixed to. */
export function eraError(
  thrown: unknown,
  label: string,
  { offer }: McpConnectionEvents,
): AppError | undefined {
  // The SDK has the same code for servers that end, fail or do not answer.
  const isOther = !(thrown instanceof SdkError) || !/did not offer pinned protocol/.test(thrown.message)
  if (offer.era !== 'modern' || isOther) return undefined
  return new AppError('source-failed', `${label} does not speak the modern era of MCP (2026-07-28)`, {
    reach: 'answered',
    hint: 'The source is fixed to it: set its "era" to "auto".',
  })
}

const endedDuringProbe = (thrown: unknown) =>
  thrown instanceof SdkError &&
  (thrown.code === SdkErrorCode.EraNegotiationFailed || thrown.code === SdkErrorCode.ConnectionClosed)

export function connectError(
  thrown: unknown,
  label: string,
  ending: string | undefined,
  output: string,
  ownsProcess: boolean,
): AppError {
  const outputDetails = output.trim() === '' ? {} : { output: output.trim().slice(-4_000) }
  const hint = 'Is it an MCP server? It must speak MCP on stdin and stdout, or at this address.'
  if (thrown instanceof AppError) return thrown.with(outputDetails)
  if (ending !== undefined)
    return new AppError('source-failed', `${label} ${ending} during the MCP handshake`, {
      ...outputDetails,
      reach: reachOfEnd(ending, output),
      hint: /^npm (?:error|ERR!) code E404$/m.test(output)
        ? 'npm knows no package of this name. Check its spelling.'
        : 'Check its command, its arguments and its environment.',
    })
  if (thrown instanceof SdkError && thrown.code === SdkErrorCode.RequestTimeout)
    return new AppError(
      'source-timeout',
      `${label} did not answer within ${secondsWaited(thrown)} s${ownsProcess ? ' (ended by Toolscope)' : ''}`,
      { ...outputDetails, hint: `${hint} A slow one needs a higher "listTimeoutMs" in toolscope.json.` },
    )
  if (thrown instanceof SdkHttpError)
    return new AppError('source-failed', `${label} ${describeHttpError(thrown)}`, { ...outputDetails, hint })
  const reach = thrown instanceof ProtocolError ? 'answered' : undefined
  return new AppError('source-failed', `${label}: ${toErrorMessage(thrown)}`, {
    ...outputDetails,
    hint,
    reach,
  })
}

/** A program that prints its usage or ends well does not know the protocol; its output does not explain the failure. */
function reachOfEnd(ending: string, output: string): AppError['reach'] {
  if (/^\s*usage\b/im.test(output)) return 'refused'
  return ending === 'exited (code 0)' ? 'silent' : 'ended'
}

const maxQuotedCharacters = 300

/** Returns `answered HTTP 404: no such path`. A web page is named, not quoted. */
export function describeHttpError({ status, message }: SdkHttpError): string {
  // The SDK puts its own words before the body.
  const body = message.replace(/^Error POSTing to endpoint[^:]*: ?/, '')
  const said = isWebPage(body) ? 'a web page' : body.trim().slice(0, maxQuotedCharacters)
  return `answered HTTP ${status}${said === '' ? '' : `: ${said}`}`
}

/** Returns the time limit that the SDK's error contains. */
function secondsWaited({ data }: SdkError): number {
  const timeout = isObject(data) ? data.timeout : undefined
  return (typeof timeout === 'number' ? timeout : defaultAnswerTimeoutMs) / 1000
}
