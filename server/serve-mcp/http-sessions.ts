/**
 * The sessions of clients of the legacy era at an address (MCP 2025-11-25, basic/transports, Streamable HTTP): a client
 * with a session can be asked during its calls, and is notified at any time.
 */
import { randomUUID } from 'node:crypto'
import {
  isInitializeRequest,
  ProtocolErrorCode,
  readRequestBody,
  type Server,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server'
import { listenForAbort } from '../process/run-with-limit.ts'

/** If there are more sessions, the one that was not used for the longest time ends. */
const defaultMaxSessions = 100
/** Milliseconds without a request and without an open stream, after which a session ends. */
const defaultMaxIdleMs = 3_600_000

interface HttpSession {
  readonly server: Server
  readonly transport: WebStandardStreamableHTTPServerTransport
  /** The streams on which the server sends what belongs to no request. */
  streamCount: number
  expiry: NodeJS.Timeout | undefined
}

export class HttpSessions {
  /** By id; the one that was used last is the last. */
  private readonly sessions = new Map<string, HttpSession>()
  private readonly build: () => Server
  private readonly maxBodyBytes: number
  private readonly maxSessions: number
  private readonly maxIdleMs: number

  /** @param build makes the server of a new session */
  constructor(
    build: () => Server,
    limits: {
      readonly maxBodyBytes: number
      readonly maxSessions?: number
      readonly maxIdleMs?: number
    },
  ) {
    this.build = build
    this.maxBodyBytes = limits.maxBodyBytes
    this.maxSessions = limits.maxSessions ?? defaultMaxSessions
    this.maxIdleMs = limits.maxIdleMs ?? defaultMaxIdleMs
  }

  /** Answers a request that belongs to a session or opens one. Resolves to undefined for any other request. */
  async answer(request: Request): Promise<Response | undefined> {
    const id = request.headers.get('mcp-session-id')
    if (id !== null) {
      const session = this.sessions.get(id)
      return session === undefined ? notFound() : this.pass(id, session, request)
    }
    if (request.method !== 'POST' || !(await this.opensSession(request))) return undefined
    return this.open(request)
  }

  async close(): Promise<void> {
    await Promise.all([...this.sessions.keys()].map(id => this.end(id)))
  }

  private async opensSession(request: Request): Promise<boolean> {
    // Every request of 2026-07-28 has this header.
    if (request.headers.has('mcp-method')) return false
    try {
      const body = await readRequestBody(request.clone(), this.maxBodyBytes)
      return !body.tooLarge && isInitializeRequest(JSON.parse(body.text))
    } catch {
      return false
    }
  }

  private async open(request: Request): Promise<Response> {
    const server = this.build()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      maxRequestBodySize: this.maxBodyBytes,
      onsessioninitialized: id => this.add(id, { server, transport, streamCount: 0, expiry: undefined }),
      onsessionclosed: id => this.end(id),
    })
    await server.connect(transport)
    const response = await transport.handleRequest(request)
    // The transport refused the request.
    if (transport.sessionId === undefined) await server.close()
    return response
  }

  private add(id: string, session: HttpSession): void {
    const [oldest] = this.sessions.keys()
    if (oldest !== undefined && this.sessions.size >= this.maxSessions) void this.end(oldest)
    this.use(id, session)
  }

  private use(id: string, session: HttpSession): void {
    this.sessions.delete(id)
    this.sessions.set(id, session)
    clearTimeout(session.expiry)
    if (session.streamCount === 0)
      session.expiry = setTimeout(() => void this.end(id), this.maxIdleMs).unref()
  }

  private async pass(id: string, session: HttpSession, request: Request): Promise<Response> {
    this.use(id, session)
    const response = await session.transport.handleRequest(request)
    if (request.method !== 'GET' || !response.ok) return response
    session.streamCount += 1
    this.use(id, session)
    listenForAbort([request.signal], () => {
      session.streamCount -= 1
      if (this.sessions.has(id)) this.use(id, session)
    })
    return response
  }

  private async end(id: string): Promise<void> {
    const session = this.sessions.get(id)
    if (session === undefined) return
    this.sessions.delete(id)
    clearTimeout(session.expiry)
    await session.server.close().catch(() => {})
  }
}

/** A client then opens a new session (MCP 2025-11-25, basic/transports, Session Management). */
function notFound(): Response {
  const error = { code: ProtocolErrorCode.InvalidRequest, message: 'The session has ended, or is unknown.' }
  return Response.json({ jsonrpc: '2.0', id: null, error }, { status: 404 })
}
