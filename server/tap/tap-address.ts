/**
 * Runs between the client of an MCP server and the server's address: passes on each request to the same path of the
 * server's origin, and each answer as it arrives, and emits what passed.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import type { EmittedMessage, WireSink } from '../../core/wire/wire-message.ts'
import { findProxy, openRequest } from '../fetch/send.ts'
import { describeForeignRequest } from '../http/local-requests.ts'
import { ByteText, decodeBody, EventSplitter, guardSink, type RecordedText } from './message-lines.ts'

export interface AddressTap {
  readonly url: URL
  /** 0 takes a free port. */
  readonly port: number
  readonly environment: NodeJS.ProcessEnv
  readonly sink: WireSink
}

export interface OpenedTap {
  /** The address for the client: our origin with the path of the server. */
  readonly url: string
  /** Ends every connection. */
  close(): Promise<void>
}

const host = '127.0.0.1'

/** Starts to listen, on this machine only. Throws AppError `port-taken`. */
export async function tapAddress(options: AddressTap): Promise<OpenedTap> {
  const tap = { ...options, sink: guardSink(options.sink) }
  let exchanges = 0
  const server = createServer((request, response) => {
    const refusal = describeForeignRequest(request.headers, true)
    if (refusal !== undefined) return void response.writeHead(403).end(refusal)
    exchanges += 1
    passExchange(tap, exchanges, request, response)
  })
  // A stream of events may last for hours, and its client decides when it ends.
  server.requestTimeout = 0
  server.keepAliveTimeout = 75_000
  const port = await listen(server, tap.port)
  return {
    url: `http://${host}:${port}${tap.url.pathname}`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', error => reject(new AppError('port-taken', `${host}:${port}: ${error.message}`)))
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  })
}

function passExchange(
  tap: AddressTap,
  exchange: number,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const { method = 'GET' } = request
  const url = toTarget(tap.url, request.url ?? '/')
  const emit = (message: Omit<EmittedMessage, 'exchange'>) => tap.sink({ exchange, ...message })
  const emitRequest = emitOnce(sent =>
    emit({
      direction: 'sent',
      part: 'request',
      ...sent,
      http: { method, url: url.href, headers: toRecord(request) },
    }),
  )
  const requestText = new ByteText()
  const requestBody = decodeBody(request.headers['content-encoding'], {
    add: chunk => requestText.add(chunk),
    end: isPart => emitRequest(requestText.take(isPart)),
  })
  const fail = (error: Error) => {
    requestBody.end(!request.complete)
    if (response.headersSent || response.closed) return void response.destroy()
    const text = `toolscope tap: ${url.origin} could not be reached: ${toErrorMessage(error)}\n`
    emit({ direction: 'received', part: 'response', text, bytes: text.length, http: { status: 502 } })
    response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' }).end(text)
  }
  try {
    const outgoing = openRequest(
      url,
      findProxy(url, tap.environment),
      method,
      passedHeaders(request, url),
      answer => {
        // Some servers answer before they have read the whole request.
        if (!request.complete) emitRequest(requestText.take(true))
        passAnswer(answer, response, emit)
      },
    )
    outgoing.on('error', fail)
    request.on('data', (chunk: Buffer) => {
      if (!outgoing.write(chunk)) {
        request.pause()
        outgoing.once('drain', () => request.resume())
      }
      requestBody.add(chunk)
    })
    request.once('end', () => {
      outgoing.end()
      requestBody.end(false)
    })
    response.once('close', () => {
      if (!response.writableFinished) outgoing.destroy()
    })
  } catch (thrown) {
    fail(thrown instanceof Error ? thrown : new Error(toErrorMessage(thrown)))
  }
}

function passAnswer(
  answer: IncomingMessage,
  response: ServerResponse,
  emit: (message: Omit<EmittedMessage, 'exchange'>) => void,
): void {
  response.sendDate = false
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? '', endToEnd(answer))
  const http = { status: answer.statusCode ?? 502, headers: toRecord(answer) }
  const isStream = /^text\/event-stream\b/i.test(answer.headers['content-type'] ?? '')
  const text = new ByteText()
  const events = new EventSplitter(({ event, id, ...data }) =>
    emit({
      direction: 'received',
      part: 'event',
      ...data,
      ...((event ?? id) !== undefined && {
        http: { ...(event !== undefined && { event }), ...(id !== undefined && { id }) },
      }),
    }),
  )
  if (isStream) {
    // The client waits for the head of a stream that has no event yet.
    response.flushHeaders()
    emit({ direction: 'received', part: 'response', text: '', bytes: 0, http })
  }
  const emitResponse = emitOnce(received =>
    emit({ direction: 'received', part: 'response', ...received, http }),
  )
  const body = decodeBody(
    answer.headers['content-encoding'],
    isStream
      ? { add: chunk => events.add(chunk), end: () => {} }
      : { add: chunk => text.add(chunk), end: isPart => emitResponse(text.take(isPart)) },
  )
  answer.on('data', (chunk: Buffer) => {
    if (!response.write(chunk)) {
      answer.pause()
      response.once('drain', () => answer.resume())
    }
    body.add(chunk)
  })
  answer.once('end', () => {
    response.end()
    body.end(false)
  })
  answer.once('close', () => {
    if (answer.complete) return
    // A broken answer is broken for the client too.
    response.destroy()
    body.end(true)
  })
}

function emitOnce(emit: (text: RecordedText) => void): (text: RecordedText) => void {
  let isEmitted = false
  return text => {
    if (!isEmitted) emit(text)
    isEmitted = true
  }
}

/** The client may leave out the query of the address, which often has a secret. */
function toTarget(server: URL, requested: string): URL {
  // The target is a path, or a whole URL if the client took us for a proxy.
  const path = requested.replace(/^https?:\/\/[^/?]*/i, '')
  const url = new URL(server.origin)
  const mark = path.indexOf('?')
  url.pathname = mark < 0 ? path : path.slice(0, mark)
  url.search = mark < 0 ? '' : path.slice(mark)
  if (mark < 0 && url.pathname === server.pathname) url.search = server.search
  return url
}

/** Headers of one connection, which are not passed on (RFC 9110, 7.6.1), without `Transfer-Encoding`. */
const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'upgrade',
])

/** Returns names and values one after the other, as they were written. */
function endToEnd({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = (headers.connection ?? '').toLowerCase().split(/\s*,\s*/)
  const passed: string[] = []
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!hopByHop.has(name.toLowerCase()) && !named.includes(name.toLowerCase())) passed.push(name, value)
  }
  return passed
}

function passedHeaders(request: IncomingMessage, url: URL): string[] {
  const headers = endToEnd(request)
  return headers.map((value, at) =>
    at % 2 === 1 && headers[at - 1]?.toLowerCase() === 'host' ? url.host : value,
  )
}

function toRecord({ headers }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value = '']) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}
