/**
 * Reads one HTTP request to a bridge and sends its answer, with `node:http` directly: the Request and Response of the
 * web platform cost more than the rest of a bridge call (docs/decisions/017).
 */
import { once, setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { CallEvent, SessionEvent } from '../../core/tool/invocation.ts'
import type { HttpAnswer, StreamFormat } from './answer.ts'
import { guardHeaders } from './bridge-guard.ts'

const types = {
  text: 'text/plain; charset=UTF-8',
  json: 'application/json; charset=utf-8',
  lines: 'application/x-ndjson; charset=utf-8',
  'server-sent': 'text/event-stream; charset=utf-8',
}

/** Reads the whole body; resolves to null as soon as it exceeds `limit` bytes. Rejects when the client disconnects. */
export function readRequestBody(request: IncomingMessage, limit: number): Promise<string | null> {
  return new Promise((resolve, reject) => {
    if (Number(request.headers['content-length'] ?? 0) > limit) return resolve(null)
    const chunks: Buffer[] = []
    let bytes = 0
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes > limit) return resolve(null)
      chunks.push(chunk)
    })
    request.on('end', () => {
      const [only] = chunks
      resolve(
        (only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, bytes)).toString('utf8'),
      )
    })
    request.on('error', reject)
  })
}

/** Headers of every answer: the access rules, and the mark of a Toolscope bridge, which sources/bridge-url reads. */
export const bridgeHeaders = (version: string) => ({ ...guardHeaders, 'Toolscope-Bridge': version })

export type BridgeHeaders = ReturnType<typeof bridgeHeaders>

export function forwardRequest(
  request: IncomingMessage,
  response: ServerResponse,
  headers: BridgeHeaders,
  { status, type, body }: HttpAnswer,
): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    ...headers,
    'Content-Type': types[type],
    'Content-Length': Buffer.byteLength(body),
    // Closes the connection so that the unread rest of a refused body is not parsed as the next request.
    ...(request.complete ? {} : { Connection: 'close' }),
  })
  response.end(body)
}

/**
 * Writes each event as it arrives: as a line of JSON, or as a server-sent event
 * (https://html.spec.whatwg.org/multipage/server-sent-events.html). After `signal` (the call's) aborts, it still reads the events to their end.
 */
export async function stream(
  response: ServerResponse,
  headers: BridgeHeaders,
  events: AsyncIterable<SessionEvent | CallEvent>,
  { format, signal }: { readonly format: StreamFormat; readonly signal: AbortSignal },
): Promise<void> {
  response.writeHead(200, { ...headers, 'Content-Type': types[format] })
  for await (const event of events) {
    const json = JSON.stringify(event)
    const text = format === 'lines' ? `${json}\n` : `event: ${event.type}\ndata: ${json}\n\n`
    if (response.write(text) || signal.aborted) continue
    await once(response, 'drain', { signal }).catch(() => {})
  }
  response.end()
}

const gone = new WeakMap<Socket, AbortSignal>()

/** Returns a signal that aborts when the client closes the connection; all requests of one connection share it. */
export function getCloseSignal(socket: Socket): AbortSignal {
  const known = gone.get(socket)
  if (known !== undefined) return known
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  socket.once('close', () => controller.abort('the caller went away'))
  if (socket.destroyed) controller.abort('the caller went away')
  gone.set(socket, controller.signal)
  return controller.signal
}
