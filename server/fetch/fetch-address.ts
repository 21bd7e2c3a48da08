/**
 * The one place that asks other servers: addresses the user named, and nothing they point to. A redirect is
 * an answer like any other and is not followed. There is no clock on the body: whoever asks brings a signal.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https'
import { Readable } from 'node:stream'
import { AppError } from '../../core/errors.ts'

/** Until the other side has taken the connection. */
const CONNECT_TIMEOUT_MS = 10_000
/** Of one answer that is no stream of events. */
const MAX_BODY_BYTES = 64 * 1024 * 1024

const agents = {
  'http:': new HttpAgent({ keepAlive: true }),
  'https:': new HttpsAgent({ keepAlive: true }),
}

/**
 * As `fetch`, for http and https addresses and text bodies. Rejects with AppError `source-failed`, which names the
 * address and the cause, or with the signal's reason. An answer beyond 64 MiB breaks off with an error.
 */
export function fetchAddress(input: string | URL, init: RequestInit = {}): Promise<Response> {
  const url = new URL(input)
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return Promise.reject(new AppError('source-failed', `${shown(url)}: only http and https are spoken here`))
  const { signal } = init
  const body = typeof init.body === 'string' ? init.body : undefined
  const headers = Object.fromEntries(new Headers(init.headers))
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const request = send(
      url,
      { method: init.method ?? 'GET', headers, agent: agents[url.protocol as keyof typeof agents] },
      answer => resolve(toResponse(answer, () => signal?.removeEventListener('abort', onAbort))),
    )
    const onAbort = () => {
      reject(signal?.reason)
      request.destroy(new Error('aborted'))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    request.on('socket', socket => {
      if (!socket.connecting) return
      const timer = setTimeout(
        () => request.destroy(new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`)),
        CONNECT_TIMEOUT_MS,
      )
      for (const event of ['connect', 'close'] as const) socket.once(event, () => clearTimeout(timer))
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      signal?.removeEventListener('abort', onAbort)
      reject(new AppError('source-failed', `${shown(url)}: ${explain(error)}`, { hint: unreachableHint }))
    })
    request.end(body)
  })
}

const unreachableHint = 'Is the server running, and is this its address and port?'

function toResponse(answer: IncomingMessage, done: () => void): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(answer.headers))
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each)
  const status = answer.statusCode ?? 502
  answer.once('close', done)
  if ([101, 204, 205, 304].includes(status) || status < 200) {
    answer.resume()
    return new Response(null, { status: status < 200 ? 502 : status, headers })
  }
  if (!/^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) limit(answer)
  // Node's stream type and the platform's are the same thing under two names.
  return new Response(Readable.toWeb(answer) as ReadableStream<Uint8Array>, { status, headers })
}

function limit(answer: IncomingMessage): void {
  let bytes = 0
  answer.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_BODY_BYTES) answer.destroy(new Error(`more than ${MAX_BODY_BYTES >> 20} MiB came back`))
  })
  answer.pause()
}

/** Without what may be a secret: a password, the query. */
export function shown(address: string | URL): string {
  try {
    const url = new URL(address)
    return `${url.origin}${url.pathname}${url.search === '' ? '' : '?…'}`
  } catch {
    return String(address)
  }
}

function explain(error: NodeJS.ErrnoException): string {
  const words: Record<string, string> = {
    ECONNREFUSED: 'nothing listens there (connection refused)',
    ENOTFOUND: 'there is no such host',
    ECONNRESET: 'the other side closed the connection',
    ETIMEDOUT: 'no answer',
  }
  return words[error.code ?? ''] ?? (error.message || error.code || 'the connection failed')
}
