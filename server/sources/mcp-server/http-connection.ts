/** An MCP server at an address: Streamable HTTP of either era, or the HTTP+SSE of 2024 where only that is spoken. */
import {
  type Client,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client'
import { AppError } from '../../../core/errors.ts'
import { fetchAddress, shown } from '../../fetch/fetch-address.ts'
import {
  type Connection,
  type ConnectionEvents,
  connectError,
  legacy,
  prepareClient,
  watched,
} from './connection.ts'
import { type BodyReader, ExactAnswers } from './exact-answers.ts'
import { exactBody } from './exact-json.ts'
import { keepResults } from './keep-results.ts'

/** A server is told that the session ends, and not waited for. */
const GOODBYE_MS = 500

export interface Address {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly oldStream: boolean
}

/** Throws AppError `source-failed` or `source-timeout`. */
export async function connectAddress(
  address: Address,
  events: ConnectionEvents,
  signal: AbortSignal,
): Promise<Connection> {
  const url = parseUrl(address.url)
  const wire = new Wire()
  const attempt: Attempt = { url, headers: address.headers, events, signal, wire }
  try {
    if (address.oldStream) return await connectOld(attempt)
    try {
      return await connectStreamable(attempt)
    } catch (thrown) {
      // The rule of the specification: an address that refuses the first POST so may speak the transport of 2024.
      if (!(thrown instanceof SdkHttpError) || ![400, 404, 405].includes(thrown.status)) throw thrown
      return await connectOld(attempt).catch(() => Promise.reject(thrown))
    }
  } catch (thrown) {
    if (wire.refused !== undefined)
      throw new AppError('source-failed', `${shown(url)} answered HTTP ${wire.refused}`, {
        hint: 'It wants credentials: give them as "headers" of this server; a value may name an environment variable.',
      })
    throw connectError(thrown, shown(url), undefined, '', false)
  }
}

interface Attempt {
  readonly url: URL
  readonly headers: Address['headers']
  readonly events: ConnectionEvents
  readonly signal: AbortSignal
  readonly wire: Wire
}

async function connectStreamable(attempt: Attempt): Promise<Connection> {
  const { url, headers, events, wire } = attempt
  const transport = new StreamableHTTPClientTransport(url, { fetch: wire.fetch, requestInit: { headers } })
  const client = await connect(transport, attempt)
  const connection = watched(client, events, undefined, async () => {
    const goodbye =
      transport.sessionId === undefined ? undefined : transport.terminateSession().catch(() => {})
    await Promise.race([goodbye, new Promise(resolve => setTimeout(resolve, GOODBYE_MS))])
  })
  wire.broken = () => events.lost(connection)
  // The stream that news of the list come by: when the server ends it, the server is going down.
  void client.autoOpenedSubscription?.closed.then(how => how !== 'local' && events.lost(connection))
  return connection
}

async function connectOld(attempt: Attempt): Promise<Connection> {
  const { url, headers, events, wire } = attempt
  const transport = new SSEClientTransport(url, { fetch: wire.fetch, requestInit: { headers } })
  const client = await connect(transport, attempt, legacy)
  const connection = watched(client, events)
  wire.broken = () => events.lost(connection)
  return connection
}

async function connect(
  transport: Transport,
  { events, signal, wire }: Attempt,
  more: Partial<typeof legacy> = {},
): Promise<Client> {
  const client = prepareClient(events)
  try {
    await client.connect(
      keepResults(transport, id => wire.answers.take(id)),
      { timeout: events.answerTimeoutMs, signal, ...more },
    )
    return client
  } catch (thrown) {
    await transport.close().catch(() => {})
    throw thrown
  }
}

/** What passes between the SDK and the network. */
class Wire {
  /** 401 or 403, once the server has said so. */
  refused: number | undefined
  /** Called when an answer breaks off that nobody stopped: the SDK would let its call wait. */
  broken: (() => void) | undefined
  /** What passing answers say to the letter. */
  readonly answers = new ExactAnswers()

  readonly fetch = async (input: string | URL, init: RequestInit = {}): Promise<Response> => {
    const body = typeof init.body === 'string' ? exactBody(init.body) : init.body
    const response = await fetchAddress(input, { ...init, body: body ?? null })
    if (response.status === 401 || response.status === 403) this.refused = response.status
    if (response.body === null) return response
    const { signal } = init
    const watcher: BodyWatcher = {
      reader: this.answers.readerOf(response.headers.get('content-type') ?? ''),
      // A stream of news may be cut by whatever stands between; the SDK opens it again. An answer it would wait for.
      broken: () => {
        if (init.method === 'POST' && !signal?.aborted) this.broken?.()
      },
    }
    return new Response(watchedBody(response.body, watcher), response)
  }
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
    throw new AppError('source-not-found', `"${text}" is no address`)
  }
}
