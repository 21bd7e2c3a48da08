/**
 * Sends one request with Node's own client, which returns before the body is complete and names the cause of a failure.
 */
import { type Agent, request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { type Duplex, Readable } from 'node:stream'
import { connectTimeoutMs, route } from './proxy.ts'

/** Bytes of one response. An event stream has no limit. */
const maxBodyBytes = 64 * 1024 * 1024
/**
 * A connection is used again only within this time. Servers close idle connections after 2 s (gunicorn), 5 s (Node,
 * uvicorn) or later; a request that meets the closing fails, and a POST must not be sent twice (RFC 9110, 9.2.2).
 */
const maxIdleMs = 1_000
const idleSince = new WeakMap<Duplex, number>()

export interface Outgoing {
  readonly method: string
  readonly headers: Headers
  readonly body: string | undefined
  readonly signal: AbortSignal | null | undefined
}

/** Rejects with the error of Node, or with the signal's reason. */
export function sendRequest(url: URL, proxy: URL | undefined, outgoing: Outgoing): Promise<Response> {
  const { method, body, signal } = outgoing
  const { headers: more, ...where } = route(url, proxy)
  const headers: OutgoingHttpHeaders = { ...Object.fromEntries(outgoing.headers) }
  Object.assign(headers, more)
  if (body !== undefined) headers['content-length'] = String(Buffer.byteLength(body))
  const start = where.protocol === 'https:' ? httpsRequest : httpRequest
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    closeIdle(where.agent)
    const request = start({ ...where, method, headers }, answer =>
      resolve(toResponse(answer, () => signal?.removeEventListener('abort', onAbort))),
    )
    const onAbort = () => {
      reject(signal?.reason)
      request.destroy(new Error('aborted'))
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    request.on('socket', socket => {
      request.once('close', () => idleSince.set(socket, performance.now()))
      if (!socket.connecting) return
      const timer = setTimeout(
        () => request.destroy(new Error(`no connection within ${connectTimeoutMs / 1000} s`)),
        connectTimeoutMs,
      )
      for (const event of ['connect', 'close'] as const) socket.once(event, () => clearTimeout(timer))
    })
    request.on('error', error => {
      signal?.removeEventListener('abort', onAbort)
      reject(error)
    })
    request.end(body)
  })
}

/** Closes the free connections that the other side may be about to close. */
function closeIdle({ freeSockets }: Agent): void {
  const latest = performance.now() - maxIdleMs
  for (const sockets of Object.values(freeSockets))
    for (const socket of sockets ?? []) if ((idleSince.get(socket) ?? 0) < latest) socket.destroy()
}

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
    if (bytes > maxBodyBytes) answer.destroy(new Error(`more than ${maxBodyBytes >> 20} MiB came back`))
  })
  answer.pause()
}
