/**
 * Connects to an MCP server at a URL: Streamable HTTP of either era, or the HTTP+SSE of 2024 if the server speaks only
 * that.
 */
import { setTimeout } from 'node:timers/promises'
import {
  type Client,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { AppError } from '../../core/errors.ts'
import type { WireSink } from '../../core/wire/wire-message.ts'
import { fetchAddress, hideAddressSecrets, type Redirects } from '../fetch/fetch-address.ts'
import type { ServerSignIn } from '../sign-in/server-sign-in.ts'
import { nextExchange, RequestCalls, toRecord } from '../wire/emit.ts'
import { type AnswerSink, type BodyReader, ExactAnswers, eventStream } from './answer-texts.ts'
import { exactBody } from './exact-json.ts'
import { keepResults } from './keep-results.ts'
import {
  connectError,
  eraError,
  legacy,
  type McpConnection,
  type McpConnectionEvents,
  prepareClient,
  watched,
} from './mcp-connection.ts'

/** The server is notified that the session ends; the close waits no longer than this. */
const goodbyeMs = 500

export interface Address {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oldStream: boolean
  readonly redirects?: Redirects | undefined
  /** Absent if the headers already identify the user. */
  readonly signIn: ServerSignIn | undefined
  readonly wire?: WireSink | undefined
}

/** Throws AppError `source-failed`, `source-timeout` or `sign-in-needed`. */
export async function connectAddress(
  address: Address,
  events: McpConnectionEvents,
  signal: AbortSignal,
): Promise<McpConnection> {
  const url = parseUrl(address.url)
  const { signIn } = address
  const wire = new Wire(url, address)
  const attempt: HttpAttempt = { url, signIn, events, signal, wire }
  try {
    if (address.oldStream) return await connectOld(attempt)
    try {
      return await connectStreamable(attempt)
    } catch (thrown) {
      // The specification's rule: a server that refuses the first POST with these statuses may speak the transport of
      // 2024.
      if (
        events.offer.era === 'modern' ||
        !(thrown instanceof SdkHttpError) ||
        ![400, 404, 405].includes(thrown.status)
      )
        throw thrown
      return await connectOld(attempt).catch(() => Promise.reject(thrown))
    }
  } catch (thrown) {
    const wanted = signIn?.errorOf(thrown) ?? eraError(thrown, hideAddressSecrets(url), events)
    if (wanted !== undefined) throw wanted
    if (wire.refused !== undefined)
      throw new AppError('source-failed', `${hideAddressSecrets(url)} answered HTTP ${wire.refused}`, {
        reach: 'answered',
        hint: 'It wants credentials and offers no sign-in: give them as "headers" of this server; a value may name an environment variable.',
      })
    throw connectError(wire.failure ?? thrown, hideAddressSecrets(url), undefined, '', false)
  }
}

interface HttpAttempt {
  readonly url: URL
  readonly signIn: Address['signIn']
  readonly events: McpConnectionEvents
  readonly signal: AbortSignal
  readonly wire: Wire
}

function buildTransportOptions({ signIn, wire }: HttpAttempt) {
  const fetching = { fetch: wire.fetch, redirectPolicy: 'follow' as const }
  return signIn === undefined ? fetching : { ...fetching, authProvider: signIn }
}

async function connectStreamable(attempt: HttpAttempt): Promise<McpConnection> {
  const { url, events, wire } = attempt
  const transport = new StreamableHTTPClientTransport(url, buildTransportOptions(attempt))
  const client = await connect(transport, attempt)
  const connection = watched(client, events, undefined, async () => {
    const goodbye =
      transport.sessionId === undefined ? undefined : transport.terminateSession().catch(() => {})
    await Promise.race([goodbye, setTimeout(goodbyeMs)])
  })
  wire.broken = () => events.lost(connection)
  // The messages that the server sent while the stream was cut are lost.
  wire.reopened = () => events.listsChanged(allLists)
  // If the server ends the stream of list notifications, it is shutting down.
  void client.autoOpenedSubscription?.closed.then(how => how !== 'local' && events.lost(connection))
  return connection
}

const allLists = ['tools/list', 'prompts/list', 'resources/list', 'resources/templates/list']

async function connectOld(attempt: HttpAttempt): Promise<McpConnection> {
  const { url, events, wire } = attempt
  const transport = new SSEClientTransport(url, buildTransportOptions(attempt))
  const client = await connect(transport, attempt, legacy)
  const connection = watched(client, events)
  wire.broken = () => events.lost(connection)
  return connection
}

async function connect(
  transport: Transport,
  { events, signal, wire }: HttpAttempt,
  more: Partial<typeof legacy> = {},
): Promise<Client> {
  const client = prepareClient(events)
  try {
    await client.connect(
      keepResults(transport, {
        textOf: id => wire.answers.take(id),
        onSend: wire.sink && ((message, options) => wire.calls.note(message, options)),
      }),
      { timeout: events.answerTimeoutMs, signal, ...more },
    )
    return client
  } catch (thrown) {
    await transport.close().catch(() => {})
    throw thrown
  }
}

/** Wraps the requests and answers between the SDK and the network. */
class Wire {
  /** 401 or 403, if the server answered so. */
  refused: number | undefined
  /** Why a request got no answer; the SDK's own error loses the hint. */
  failure: AppError | undefined
  /** Called when an answer breaks off unexpectedly: the SDK would let its call wait. */
  broken: (() => void) | undefined
  /** Called when the stream of the server's own messages was opened again after its first time. */
  reopened: (() => void) | undefined
  private streams = 0
  /** The exact texts of the answers that pass through. */
  readonly answers = new ExactAnswers()
  readonly calls = new RequestCalls()
  readonly sink: WireSink | undefined
  private readonly url: URL
  private readonly address: Address

  constructor(url: URL, address: Address) {
    this.url = url
    this.address = address
    this.sink = address.wire
  }

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const { redirects, headers: own } = this.address
    const body = typeof init.body === 'string' ? exactBody(init.body) : init.body
    const headers = new Headers(init.headers)
    // The SDK also sends requests to other servers to find a way to sign in; these headers are only for the source.
    if (new URL(input).origin === this.url.origin)
      for (const [name, value] of Object.entries(own)) if (!headers.has(name)) headers.set(name, value)
    const exchange = this.emitRequest(new URL(input), init.method ?? 'GET', headers, body)
    const response = await fetchAddress(input, { ...init, redirects, headers, body: body ?? null }).catch(
      (thrown: unknown) => {
        if (thrown instanceof AppError) this.failure = thrown
        throw thrown
      },
    )
    if (response.status === 401 || response.status === 403) this.refused = response.status
    const answer = this.watch(response, init, exchange)
    this.address.signIn?.sawAnswer(answer, headers.get('authorization'))
    return answer
  }

  /** Returns the receiver of the answer's parts; undefined without a wire. */
  private emitRequest(url: URL, method: string, headers: Headers, body: unknown): AnswerSink | undefined {
    const { sink } = this
    // The messages to an authorization server consist of secrets.
    if (sink === undefined || !isOfProtocol(url, this.url, body)) return undefined
    const exchange = nextExchange()
    const text = typeof body === 'string' ? body : ''
    const callId = this.calls.takeFrom(text)
    const http = { method, url: url.href, headers: toRecord(headers) }
    sink({
      direction: 'sent',
      part: 'request',
      text,
      exchange,
      http,
      ...(callId !== undefined && { callId }),
    })
    return (part, answer) => sink({ direction: 'received', part, exchange, ...answer })
  }

  private watch(response: Response, { method, signal }: RequestInit, emit: AnswerSink | undefined): Response {
    const { status } = response
    const type = response.headers.get('content-type') ?? ''
    const http = emit && { status, headers: toRecord(response.headers) }
    const isStream = eventStream.test(type)
    if (isStream && method === 'GET' && ++this.streams > 1) this.reopened?.()
    if (emit !== undefined && (isStream || response.body === null)) emit('response', { text: '', http })
    if (response.body === null) return response
    const watcher: BodyWatcher = {
      reader: this.answers.readerOf(
        type,
        emit && ((part, answer) => emit(part, { ...answer, http: answer.http ?? http })),
      ),
      // A proxy may cut a notification stream, and the SDK reopens it. It would wait forever for an answer to a POST.
      broken: () => {
        if (method === 'POST' && !signal?.aborted) this.broken?.()
      },
    }
    return new Response(watchedBody(response.body, watcher), response)
  }
}

/** Whether a request belongs to MCP: a message, or a stream of the server. */
function isOfProtocol(url: URL, source: URL, body: unknown): boolean {
  if (url.origin !== source.origin || url.pathname.includes('/.well-known/')) return false
  return typeof body === 'string' ? body.includes('"jsonrpc"') : body === undefined || body === null
}

interface BodyWatcher {
  readonly reader: BodyReader | undefined
  broken(): void
}

function watchedBody(
  body: ReadableStream<Uint8Array>,
  { reader: texts, broken }: BodyWatcher,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (done) {
          texts?.end()
          controller.close()
        } else {
          texts?.add(value)
          controller.enqueue(value)
        }
      } catch (thrown) {
        controller.error(thrown)
        broken()
      }
    },
    cancel: reason => reader.cancel(reason),
  })
}

function parseUrl(text: string): URL {
  try {
    return new URL(text)
  } catch {
    throw new AppError('source-not-found', `"${text}" is not an address`)
  }
}
