/** Serves a recorded MCP server to other clients, message by message, over stdio or at an address of this machine. */
import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parseJson } from '../../core/json/json.ts'
import { listenAt } from '../http/listen.ts'
import { describeForeignRequest } from '../http/local-requests.ts'
import { readRequestBody } from '../http/node-requests.ts'
import { untilStopped } from '../process/run-with-limit.ts'
import type { RecordingIndex } from '../replay/recording-index.ts'
import { ReplayConnection, type ReplaySink } from '../replay/replay-connection.ts'
import { type ReplayOptions, ReplayOrder } from '../replay/replay-order.ts'

const maxBodyBytes = 32 * 1024 * 1024
/** Sessions of clients that went without closing theirs; the oldest one is forgotten. */
const maxSessions = 1_000

/** Serves until the client closes our stdin and has its answers, or a signal arrives. */
export async function replayOverStdio(
  index: RecordingIndex,
  options: ReplayOptions,
  signal: AbortSignal,
): Promise<void> {
  const connection = new ReplayConnection(index, new ReplayOrder(index, options))
  const sink: ReplaySink = { send: text => void process.stdout.write(`${text}\n`) }
  await connection.start(sink)
  const ended = (async () => {
    let parts: Buffer[] = []
    for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
      let from = 0
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
        const line = Buffer.concat([...parts, chunk.subarray(from, end)]).toString('utf8')
        parts = []
        from = end + 1
        if (line.trim() !== '') connection.receive(line, sink)
      }
      if (from < chunk.length) parts.push(chunk.subarray(from))
    }
    await connection.drain()
  })()
  await Promise.race([ended, untilStopped(signal)])
  connection.close()
}

/** Serves `/mcp` on loopback until a signal arrives. Programs of this machine need no token; pages are refused. */
export async function replayOverHttp(
  index: RecordingIndex,
  options: ReplayOptions,
  { port, write, signal }: { readonly port: number; write(text: string): void; readonly signal: AbortSignal },
): Promise<string> {
  const endpoint = new ReplayEndpoint(index, options)
  const { server, url } = await listenAt(
    (request, response) => {
      endpoint.answer(request, response).catch(() => response.destroy())
    },
    '127.0.0.1',
    port,
  )
  write(`toolscope replay ready: ${url}/mcp\n`)
  await untilStopped(signal)
  endpoint.close()
  server.closeAllConnections()
  server.close()
  return `${url}/mcp`
}

interface ReplaySession {
  readonly connection: ReplayConnection
  /** The stream for messages that belong to no request. */
  stream?: ServerResponse | undefined
}

class ReplayEndpoint {
  private readonly index: RecordingIndex
  private readonly options: ReplayOptions
  private readonly sessions = new Map<string, ReplaySession>()
  /** A server of the modern era, and an old one without sessions, has one state for all clients. */
  private readonly shared: ReplaySession
  private readonly hasSessions: boolean

  constructor(index: RecordingIndex, options: ReplayOptions) {
    this.index = index
    this.options = options
    this.shared = this.create()
    this.hasSessions = !index.isModern
  }

  close(): void {
    for (const { connection } of [this.shared, ...this.sessions.values()]) connection.close()
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const foreign = describeForeignRequest(request.headers, true)
    if (foreign !== undefined) return end(response, 403, foreign)
    const [path] = (request.url ?? '').split('?', 1)
    if (path !== '/mcp') return end(response, 404, 'The server is at /mcp.\n')
    const id = request.headers['mcp-session-id']
    const session = typeof id === 'string' ? this.sessions.get(id) : this.shared
    if (session === undefined) return end(response, 404, 'There is no such session.\n')
    switch (request.method) {
      case 'POST':
        return this.receive(request, response, session)
      case 'GET':
        if (!this.hasSessions || session.stream !== undefined)
          return end(response, 405, 'There is no such stream.\n')
        openStream(response)
        session.stream = response
        response.once('close', () => {
          session.stream = undefined
        })
        return
      case 'DELETE':
        session.connection.close()
        if (typeof id === 'string') this.sessions.delete(id)
        return end(response, 200, '')
      default:
        return end(response, 405, 'The server answers POST, GET and DELETE.\n')
    }
  }

  private create(): ReplaySession {
    return { connection: new ReplayConnection(this.index, new ReplayOrder(this.index, this.options)) }
  }

  private async receive(
    request: IncomingMessage,
    response: ServerResponse,
    given: ReplaySession,
  ): Promise<void> {
    const body = await readRequestBody(request, maxBodyBytes)
    if (body === null) return end(response, 413, `The body is over ${maxBodyBytes >> 20} MiB.\n`)
    const value = parseJson(body)
    // A batch of 2025-03-26. Its parts are written again, because each is a message of its own.
    const messages = Array.isArray(value) ? value.map(each => JSON.stringify(each)) : [body]
    const begins = this.hasSessions && messages.some(text => /"method"\s*:\s*"initialize"/.test(text))
    const session = begins ? this.begin(response) : given
    const answer = new PostAnswer(response, session, Array.isArray(value))
    response.once('close', () => answer.stop())
    const requests = messages.filter(text => session.connection.receive(text, answer)).length
    answer.expect(requests)
  }

  private begin(response: ServerResponse): ReplaySession {
    const id = randomUUID()
    const session = this.create()
    const [oldest] = this.sessions.keys()
    if (this.sessions.size >= maxSessions && oldest !== undefined) this.sessions.delete(oldest)
    this.sessions.set(id, session)
    response.setHeader('Mcp-Session-Id', id)
    return session
  }
}

/** The answer to one POST: a JSON text, or a stream if anything comes before the answer or there are several. */
class PostAnswer implements ReplaySink {
  private readonly response: ServerResponse
  private readonly session: ReplaySession
  private isStream: boolean
  private answers = 0
  private expected: number | undefined
  private isStopped = false

  constructor(response: ServerResponse, session: ReplaySession, isStream: boolean) {
    this.response = response
    this.session = session
    this.isStream = isStream
  }

  /** @param requests the number of requests in the body */
  expect(requests: number): void {
    this.expected = requests
    if (requests === 0 && this.answers === 0) end(this.response, 202, '')
    else this.endWhenAnswered()
  }

  stop(): void {
    this.isStopped = true
  }

  send(text: string, kind: 'answer' | 'message', status = 200): void {
    if (this.isStopped || this.response.writableEnded) {
      const { stream } = this.session
      if (stream !== undefined && kind === 'message') writeEvent(stream, text)
      return
    }
    if (kind === 'answer') this.answers += 1
    if (kind === 'answer' && !this.isStream && !this.response.headersSent) {
      end(this.response, status, text, 'application/json')
      return
    }
    this.isStream = true
    if (!this.response.headersSent) openStream(this.response)
    writeEvent(this.response, text)
    this.endWhenAnswered()
  }

  sendRaw(
    body: string,
    { status = 200, headers = {} }: Parameters<NonNullable<ReplaySink['sendRaw']>>[1],
  ): void {
    this.answers += 1
    const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1]
    if (!this.response.headersSent) end(this.response, status, body, type ?? 'text/plain; charset=utf-8')
  }

  private endWhenAnswered(): void {
    if (this.expected !== undefined && this.answers >= this.expected && this.isStream) this.response.end()
  }
}

function openStream(response: ServerResponse): void {
  response.writeHead(200, { ...guarded, 'Content-Type': 'text/event-stream' })
  response.flushHeaders()
}

/** A text of JSON may have line breaks, which would end the event. */
function writeEvent(response: ServerResponse, text: string): void {
  response.write(`event: message\ndata: ${text.replaceAll(/\r?\n|\r/g, '\ndata: ')}\n\n`)
}

const guarded = { 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' } as const

function end(
  response: ServerResponse,
  status: number,
  body: string,
  type = 'text/plain; charset=utf-8',
): void {
  response.writeHead(status, { ...guarded, 'Content-Type': type }).end(body)
}
