/**
 * One HTTP request to a bridge and its answer, on `node:http` itself: the web's Request and Response cost a bridge
 * more than all the rest of a call (docs/decisions/017).
 */
import { once, setMaxListeners } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { SessionEvent } from '../../core/tool/invocation.ts'
import type { Answer } from './answer.ts'
import { guardHeaders } from './bridge-guard.ts'

const types = {
  text: 'text/plain; charset=UTF-8',
  json: 'application/json; charset=utf-8',
  events: 'application/x-ndjson; charset=utf-8',
}

/** The whole body; null as soon as it is known to be over `limit` bytes. Rejects when the client goes away. */
export function readBody(request: IncomingMessage, limit: number): Promise<string | null> {
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

/** Headers of every answer: who may do what with it, and that it is this bridge's (sources/bridge-url reads that). */
export const bridgeHeaders = (version: string) => ({ ...guardHeaders, 'Toolscope-Bridge': version })

export type BridgeHeaders = ReturnType<typeof bridgeHeaders>

export function send(
  request: IncomingMessage,
  response: ServerResponse,
  headers: BridgeHeaders,
  { status, type, body }: Answer,
): void {
  if (response.headersSent || response.destroyed) return
  response.writeHead(status, {
    ...headers,
    'Content-Type': types[type],
    'Content-Length': Buffer.byteLength(body),
    // What is left of a body that was refused must not be taken for the next request.
    ...(request.complete ? {} : { Connection: 'close' }),
  })
  response.end(body)
}

/** One event a line, as they come. `signal` is that of the call: after it the events are still read to their end. */
export async function stream(
  response: ServerResponse,
  headers: BridgeHeaders,
  events: AsyncIterable<SessionEvent>,
  signal: AbortSignal,
): Promise<void> {
  response.writeHead(200, { ...headers, 'Content-Type': types.events })
  for await (const event of events) {
    if (response.write(`${JSON.stringify(event)}\n`) || signal.aborted) continue
    await once(response, 'drain', { signal }).catch(() => {})
  }
  response.end()
}

const gone = new WeakMap<Socket, AbortSignal>()

/** Aborted when the client closes its connection; one signal for all requests that come over it. */
export function signalOf(socket: Socket): AbortSignal {
  const known = gone.get(socket)
  if (known !== undefined) return known
  const controller = new AbortController()
  setMaxListeners(0, controller.signal)
  socket.once('close', () => controller.abort('the caller went away'))
  if (socket.destroyed) controller.abort('the caller went away')
  gone.set(socket, controller.signal)
  return controller.signal
}
