/**
 * Converts a recording for other programs: the HTTP exchanges as HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/),
 * and the requests of MCP as spans of OpenTelemetry (OTLP JSON, with the semantic conventions for MCP:
 * https://opentelemetry.io/docs/specs/semconv/gen-ai/mcp/). Both yield their text in pieces, so that a long recording is
 * never in memory as a whole.
 */
import { isObject, own } from '../json/json.ts'
import { fingerprint } from '../text/fingerprint.ts'
import type { RecordedMessage, RecordedSource, RecordingHeader, RecordingLine } from './recording.ts'
import { readRpc } from './wire-message.ts'

type Lines = AsyncIterable<RecordingLine> | Iterable<RecordingLine>

/** An exchange or a request without an end is written when the recording ends; at most this many wait. */
const maxOpen = 10_000

interface Exchange {
  readonly request: RecordedMessage
  response?: RecordedMessage
  readonly events: RecordedMessage[]
}

/** Yields a HAR file. An exchange is one entry; the events of a stream are its body, one `data:` line each. */
export async function* toHar(lines: Lines): AsyncGenerator<string> {
  const open = new Map<string, Exchange>()
  let startedAt = 0
  let isFirst = true
  const write = (exchange: Exchange) => {
    const text = `${isFirst ? '' : ','}${JSON.stringify(harEntry(exchange, startedAt))}`
    isFirst = false
    return text
  }
  for await (const line of lines) {
    if (line.type === 'header') {
      startedAt = Date.parse(line.startedAt)
      const creator = { name: 'toolscope', version: line.version }
      yield `{"log":{"version":"1.2","creator":${JSON.stringify(creator)},"pages":[],"entries":[`
    }
    if (line.type !== 'message' || line.exchange === undefined) continue
    const key = `${line.source} ${line.exchange}`
    const exchange = open.get(key)
    if (line.part === 'request') {
      const oldest = open.size >= maxOpen ? open.entries().next().value : undefined
      if (oldest !== undefined) {
        open.delete(oldest[0])
        yield write(oldest[1])
      }
      open.set(key, { request: line, events: [] })
    } else if (exchange !== undefined && line.part === 'event') exchange.events.push(line)
    else if (exchange !== undefined && line.part === 'response') {
      exchange.response = line
      if (isStream(line)) continue
      open.delete(key)
      yield write(exchange)
    }
  }
  for (const exchange of open.values()) yield write(exchange)
  yield ']}}\n'
}

const mimeType = (message: RecordedMessage | undefined) => message?.http?.headers?.['content-type'] ?? ''

const isStream = (message: RecordedMessage) => /^text\/event-stream\b/i.test(mimeType(message))

const nameValues = (values: Readonly<Record<string, string>> = {}) =>
  Object.entries(values).map(([name, value]) => ({ name, value }))

function harEntry({ request, response, events }: Exchange, startedAt: number) {
  const url = request.http?.url ?? ''
  const last = events.at(-1) ?? response ?? request
  const wait = Math.max(0, (response ?? request).atMs - request.atMs)
  const receive = Math.max(0, last.atMs - (response ?? request).atMs)
  const body =
    events.length === 0 ? (response?.text ?? '') : events.map(({ text }) => `data: ${text}\n\n`).join('')
  const shared = { httpVersion: 'HTTP/1.1', cookies: [], headersSize: -1 }
  return {
    startedDateTime: new Date(startedAt + request.atMs).toISOString(),
    time: wait + receive,
    request: {
      ...shared,
      method: request.http?.method ?? 'GET',
      url,
      headers: nameValues(request.http?.headers),
      queryString: readQuery(url),
      bodySize: request.bytes,
      ...(request.text !== '' && { postData: { mimeType: mimeType(request), text: request.text } }),
    },
    response: {
      ...shared,
      // By the specification, a status of 0 means that no answer came.
      status: response?.http?.status ?? 0,
      statusText: '',
      headers: nameValues(response?.http?.headers),
      redirectURL: response?.http?.headers?.location ?? '',
      bodySize: -1,
      content: {
        size: events.reduce((sum, { bytes }) => sum + bytes, response?.bytes ?? 0),
        mimeType: mimeType(response),
        text: body,
      },
    },
    cache: {},
    timings: { send: 0, wait, receive },
  }
}

function readQuery(url: string) {
  const [, query = ''] = url.split('#')[0]?.split(/\?(.*)/s) ?? []
  return query
    .split('&')
    .filter(pair => pair !== '')
    .map(pair => {
      const [name = '', value = ''] = pair.split(/=(.*)/s)
      return { name, value }
    })
}

interface OpenRequest {
  readonly sent: RecordedMessage
  readonly method: string
  readonly id: unknown
  readonly params: unknown
}

/** Yields spans as OTLP JSON: one for each request of MCP in either direction, and one for each run of a program. */
export async function* toOtlp(lines: Lines): AsyncGenerator<string> {
  const open = new Map<string, OpenRequest>()
  const sources = new Map<number, RecordedSource>()
  let header: RecordingHeader | undefined
  let isFirst = true
  const write = (request: OpenRequest, end?: RecordedMessage) => {
    const source = sources.get(request.sent.source)
    const text = `${isFirst ? '' : ','}${JSON.stringify(toSpan(request, end, source, header))}`
    isFirst = false
    return text
  }
  for await (const line of lines) {
    if (line.type === 'header') {
      header = line
      const resource = {
        attributes: attributes({ 'service.name': 'toolscope', 'service.version': line.version }),
      }
      const scope = { name: 'toolscope', version: line.version }
      yield `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${JSON.stringify(scope)},"spans":[`
    } else if (line.type === 'source') sources.set(line.source, line)
    if (line.type !== 'message') continue
    const request = readRequest(line)
    if (request !== undefined && open.size < maxOpen)
      open.set(requestKey(line, request.id, line.direction), request)
    const key = endedKey(line)
    const begun = key === undefined ? undefined : open.get(key)
    if (key === undefined || begun === undefined) continue
    open.delete(key)
    yield write(begun, line)
  }
  for (const request of open.values()) yield write(request)
  yield ']}]}]}\n'
}

function readRequest(message: RecordedMessage): OpenRequest | undefined {
  if (message.part === 'start') {
    const params = { name: message.run?.tool }
    return { sent: message, method: 'run', id: undefined, params }
  }
  const rpc = readRpc(message.text)
  return rpc?.kind === 'request' ? { sent: message, ...rpc } : undefined
}

/** Returns the key of the request that this message answers. */
function endedKey(message: RecordedMessage): string | undefined {
  if (message.part === 'end') return requestKey(message, undefined, 'sent')
  const rpc = readRpc(message.text)
  if (rpc?.kind !== 'result' && rpc?.kind !== 'error') return undefined
  return requestKey(message, rpc.id, message.direction === 'sent' ? 'received' : 'sent')
}

/** The client answers a server's request in another exchange, so only the requests of the client have one here. */
function requestKey(
  { source, exchange = 0 }: RecordedMessage,
  id: unknown,
  by: RecordedMessage['direction'],
) {
  return JSON.stringify([source, by, by === 'sent' ? exchange : 0, id])
}

/** The kinds of a span: of the client, and of the server. */
const [server, client] = [2, 3]

function toSpan(
  { sent, method, id, params }: OpenRequest,
  end: RecordedMessage | undefined,
  source: RecordedSource | undefined,
  header: RecordingHeader | undefined,
) {
  const tool = isObject(params) ? own(params, method === 'resources/read' ? 'uri' : 'name') : undefined
  const target = typeof tool === 'string' ? tool : undefined
  const failure = end === undefined ? undefined : readFailure(end)
  const trace = readTrace(params)
  const hex16 = (...parts: readonly unknown[]) => fingerprint([1, ...parts]) + fingerprint([2, ...parts])
  const identity = [header?.startedAt, source?.name, sent.seq]
  const isCall = method === 'tools/call' || method === 'run'
  return {
    traceId: trace?.traceId ?? hex16('trace', ...identity) + hex16('call', ...identity),
    spanId: hex16('span', ...identity),
    ...(trace && { parentSpanId: trace.spanId }),
    name: target === undefined || method === 'resources/read' ? method : `${method} ${target}`,
    kind: sent.direction === 'sent' ? client : server,
    startTimeUnixNano: nanoseconds(header, sent.atMs),
    endTimeUnixNano: nanoseconds(header, end?.atMs ?? sent.atMs),
    attributes: attributes({
      'mcp.method.name': method === 'run' ? undefined : method,
      'jsonrpc.request.id': id === undefined ? undefined : String(id),
      'mcp.protocol.version': source?.protocol,
      'mcp.resource.uri': method === 'resources/read' ? target : undefined,
      'gen_ai.operation.name': isCall ? 'execute_tool' : undefined,
      'gen_ai.tool.name': isCall ? target : undefined,
      'gen_ai.prompt.name': method === 'prompts/get' ? target : undefined,
      'network.transport': source?.transport === 'http' ? 'tcp' : 'pipe',
      'process.exit.code': end?.run?.exitCode,
      'rpc.response.status_code': failure?.code,
      'error.type': failure?.type,
    }),
    status: failure === undefined ? {} : { code: 2, message: failure.message },
  }
}

function readFailure({ part, run, text }: RecordedMessage) {
  if (part === 'end') {
    if (run?.exitCode === 0) return undefined
    return { type: 'exit', code: undefined, message: `exited (${run?.signal ?? `code ${run?.exitCode}`})` }
  }
  const rpc = readRpc(text)
  if (rpc?.kind === 'error') {
    const [code, message] = isObject(rpc.error) ? [own(rpc.error, 'code'), own(rpc.error, 'message')] : []
    return { type: String(code), code: String(code), message: String(message ?? '') }
  }
  const isError = rpc?.kind === 'result' && isObject(rpc.result) && own(rpc.result, 'isError') === true
  return isError ? { type: 'tool_error', code: undefined, message: '' } : undefined
}

/** Reads `traceparent` in `params._meta` (SEP-414), by https://www.w3.org/TR/trace-context/. */
function readTrace(params: unknown) {
  const meta = isObject(params) ? own(params, '_meta') : undefined
  const parent = isObject(meta) ? own(meta, 'traceparent') : undefined
  const [, traceId, spanId] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-/.exec(typeof parent === 'string' ? parent : '') ?? []
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId }
}

/** Nanoseconds do not fit into a double, so OTLP writes them as text. */
function nanoseconds(header: RecordingHeader | undefined, atMs: number): string {
  const start = BigInt(Date.parse(header?.startedAt ?? '') || 0) * 1_000_000n
  return String(start + BigInt(Math.round(atMs * 1_000_000)))
}

function attributes(values: Readonly<Record<string, string | number | undefined>>) {
  return Object.entries(values).flatMap(([key, value]) => {
    if (value === undefined) return []
    return [{ key, value: typeof value === 'number' ? { intValue: String(value) } : { stringValue: value } }]
  })
}
