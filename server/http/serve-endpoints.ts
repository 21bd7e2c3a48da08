/** Serves endpoints of the contract: parses the request by its schemas, calls the handler, sends the answer. */
import { setTimeout as setTimeoutPromise } from 'node:timers/promises'
import { type Context, Hono, type MiddlewareHandler, type Next } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { TrieRouter } from 'hono/router/trie-router'
import type { z } from 'zod'
import {
  type AnswerOf,
  type Endpoint,
  type Endpoints,
  type FormatOf,
  JsonText,
} from '../../core/api/endpoint.ts'
import { AppError, toErrorMessage } from '../../core/errors.ts'
import { describeTarget } from './audit-target.ts'
import { errorAnswer } from './error-answer.ts'
import { audit, auditCallRefusal, beginRequest, describeRefusal } from './gate.ts'

const maxBodyBytes = 32 * 1024 * 1024

/** Lines that end within this time are sent as one body: a chunk per line costs both sides more than the call. */
const maxGatherMs = 10
const maxGatheredCharacters = 64 * 1024

/** A handler returns this if the path belongs to another route. */
export const otherRoute = Symbol('otherRoute')

type ParsedOf<Of, Part extends 'params' | 'query' | 'body'> = Of extends {
  [Key in Part]: infer Schema extends z.ZodType
}
  ? { readonly [Key in Part]: z.output<Schema> }
  : unknown

/** The input of a handler: the parsed parts, and a signal that aborts when the client disconnects. */
type Received<Of> = ParsedOf<Of, 'params'> &
  ParsedOf<Of, 'query'> &
  ParsedOf<Of, 'body'> & {
    readonly signal: AbortSignal
    /** The exact text of the body. */
    readonly bodyText: string
    readonly context: Context
  }

type Returned<Of> = {
  readonly json: AnswerOf<Of> | JsonText<AnswerOf<Of>>
  readonly text: AnswerOf<Of>
  /** An error before the first bytes becomes an error answer; a later error breaks the stream off. */
  readonly lines: AsyncIterable<AnswerOf<Of>>
  /** The bytes of a stream of server-sent events, which is cancelled when the client disconnects. */
  readonly events: ReadableStream<Uint8Array>
}[FormatOf<Of> & ('json' | 'text' | 'lines' | 'events')]

type Handler<Of> = (
  received: Received<Of>,
) => Returned<Of> | typeof otherRoute | Promise<Returned<Of> | typeof otherRoute>

type AnyHandler = (received: { readonly [part: string]: unknown }) => unknown

type ServedHandlers<Served> = { readonly [Key in keyof Served]: Handler<Served[Key]> }

/** Creates an application whose errors are answers of the API. */
export function createHono(): Hono {
  // Hono's default router matches `/tools/:ref{.+}` before `/tools/:ref{.+}/versions`, whatever their order.
  const app = new Hono({ router: new TrieRouter() })
  app.onError((thrown, context) => errorAnswer(context, thrown))
  return app
}

const limitWhileRead = bodyLimit({
  maxSize: maxBodyBytes,
  onError: context =>
    errorAnswer(
      context,
      new AppError('request-invalid', `the body is over ${maxBodyBytes / 1024 / 1024} MiB`),
    ),
})

/**
 * Hono's own limit turns the body into a web stream. It is not needed if the request states its length: Node does not
 * read beyond that.
 */
export const limitBody: MiddlewareHandler = (context, next) => {
  const { method } = context.req
  const length = context.req.header('content-length')
  const isBounded =
    length === undefined ? method === 'GET' || method === 'HEAD' : Number(length) <= maxBodyBytes
  const isChunked = context.req.header('transfer-encoding') !== undefined
  return isBounded && !isChunked ? next() : limitWhileRead(context, next)
}

/** Creates routes for all endpoints of a resource, in the order of the contract. */
export function serve<Served extends Endpoints>(
  endpoints: Served,
  handlers: NoInfer<ServedHandlers<Served>>,
): Hono {
  const routes = new Hono()
  for (const [key, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const [method = '', path = ''] = key.split(' ')
    // `handlers` has the same keys as `endpoints`; the compiler checked each pair where `handlers` was written.
    const handler = handlers[key as keyof Served] as unknown as AnyHandler
    routes.on(method, toHonoPattern(path), (context, next) => answer(key, endpoint, handler, context, next))
  }
  return routes
}

/** Converts `/api/tools/{+ref}` to Hono's syntax. */
function toHonoPattern(path: string): string {
  return path.replace(/\{\+(\w+)\}/g, ':$1{[\\s\\S]+}').replace(/\{(\w+)\}/g, ':$1')
}

async function answer(key: string, endpoint: Endpoint, handler: AnyHandler, context: Context, next: Next) {
  const wanted = { key, right: endpoint.right }
  const refusal = describeRefusal(wanted, context)
  if (refusal !== undefined) {
    const read = await readRequest(endpoint, context).catch(() => undefined)
    audit(wanted, context, 'refused', () => read && describeTarget(endpoint, read.given))
    throw new AppError('not-allowed', refusal)
  }
  const { given, bodyText } = await readRequest(endpoint, context)
  audit(wanted, context, 'accepted', () => describeTarget(endpoint, given))
  if (endpoint.format === 'lines') context.header('Content-Type', 'application/x-ndjson; charset=utf-8')
  const left = new AbortController()
  const { signal } = context.req.raw
  signal.addEventListener('abort', () => left.abort(), { once: true })
  if (signal.aborted) left.abort()
  let end = () => {}
  try {
    end = beginRequest(wanted, context)
    const returned = await handler({ ...given, signal: left.signal, bodyText, context })
    if (returned === otherRoute) return await next()
    const response = await answerWith(returned, endpoint, context, left)
    // Hono drops the body of such an answer: a stream would stay open until the server ends.
    if (context.req.method === 'HEAD') await response.body?.cancel()
    return response
  } catch (thrown) {
    auditCallRefusal(wanted, context, thrown, () => describeTarget(endpoint, given))
    throw thrown
  } finally {
    end()
  }
}

function answerWith(
  returned: unknown,
  { format, status }: Endpoint,
  context: Context,
  left: AbortController,
): Response | Promise<Response> {
  switch (format) {
    case 'lines':
      return sendLines(context, returned as AsyncIterable<unknown>, left)
    case 'events':
      context.header('Content-Type', 'text/event-stream')
      context.header('Cache-Control', 'no-cache')
      // Keeps proxies from buffering the events.
      context.header('X-Accel-Buffering', 'no')
      return context.body(returned as ReadableStream<Uint8Array>)
    case 'text':
      if (!context.res.headers.has('Content-Type')) return context.text(String(returned))
      return context.body(String(returned))
    default: {
      const text = returned instanceof JsonText ? returned.text : JSON.stringify(returned)
      return context.body(text, status, { 'Content-Type': 'application/json' })
    }
  }
}

/** Returns the parsed parts of a request. Throws AppError `request-invalid`. */
async function readRequest({ params, query, body }: Endpoint, context: Context) {
  const bodyText = body === undefined ? '' : await readBodyText(context)
  const given = {
    params: params && parseWith(params, withoutNul(context.req.param())),
    query: query && parseWith(query, context.req.query()),
    body: body && parseWith(body, parseBody(bodyText)),
  }
  return { given, bodyText }
}

/**
 * Returns a function that writes the audit line of a request that `guard` refuses. The target is described by path and
 * query: the body of a client without a session is not read. An endpoint that only reads has no line.
 */
export function createRefusalAudit(endpoints: Endpoints): (context: Context) => void {
  const router = new TrieRouter<{ readonly key: string; readonly endpoint: Endpoint }>()
  for (const [key, endpoint] of Object.entries<Endpoint>(endpoints)) {
    const [method = '', path = ''] = key.split(' ')
    router.add(method, toHonoPattern(path), { key, endpoint })
  }
  return context => {
    const { method, path } = context.req
    const [found] = router.match(method === 'HEAD' ? 'GET' : method, path)[0]
    if (found === undefined) return
    const [{ key, endpoint }, params] = found
    const describe = () => {
      const decoded = Object.entries(params).map(([name, value]) => [name, decodeURIComponent(String(value))])
      return describeTarget(endpoint, {
        params: endpoint.params && parseWith(endpoint.params, Object.fromEntries(decoded)),
        query: endpoint.query && parseWith(endpoint.query, context.req.query()),
      })
    }
    try {
      audit({ key, right: endpoint.right }, context, 'refused', describe)
    } catch {
      // The request is refused in any case. A client without a session gets no reason that names a file.
    }
  }
}

async function sendLines(
  context: Context,
  lines: AsyncIterable<unknown>,
  left: AbortController,
): Promise<Response> {
  // Keeps proxies from buffering the lines.
  context.header('X-Accel-Buffering', 'no')
  const iterator = lines[Symbol.asyncIterator]()
  const toJsonLine = (value: unknown) => `${JSON.stringify(value)}\n`
  /**
   * A line may fail before it is read. Its reader receives the error; the process must not end with an unhandled
   * rejection.
   */
  const ask = () => {
    const line = iterator.next()
    line.catch(() => {})
    return line
  }
  let next = ask()
  const soon = setTimeoutPromise(maxGatherMs, undefined)
  let gathered = ''
  while (gathered.length < maxGatheredCharacters) {
    const first = await Promise.race([next, soon])
    if (first === undefined) break
    if (first.done === true) return context.body(gathered)
    gathered += toJsonLine(first.value)
    next = ask()
  }
  const encoder = new TextEncoder()
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      if (gathered !== '') controller.enqueue(encoder.encode(gathered))
    },
    async pull(controller) {
      const { done, value } = await next
      if (done === true) return controller.close()
      controller.enqueue(encoder.encode(toJsonLine(value)))
      next = ask()
    },
    async cancel() {
      left.abort()
      await iterator.return?.()
    },
  })
  return context.body(body)
}

/**
 * Refuses a NUL, which PostgreSQL refuses in every text, in the names of a path. The `ref` of a tool may hold one: a tool
 * has the name that its server gave it.
 */
function withoutNul(names: Readonly<Record<string, string>>): typeof names {
  for (const [parameter, name] of Object.entries(names))
    if (parameter !== 'ref' && name.includes('\0'))
      throw new AppError('request-invalid', `${parameter}: no name holds a NUL: ${JSON.stringify(name)}`)
  return names
}

/** Throws AppError `request-invalid` with each invalid field. */
function parseWith<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issues = parsed.error.issues.map(
    issue => `${issue.path.join('.') || 'the request'}: ${issue.message}`,
  )
  throw new AppError('request-invalid', issues.join('; '))
}

async function readBodyText(context: Context): Promise<string> {
  const type = context.req.header('content-type') ?? ''
  // Another site can send forms and plain text without a CORS preflight, so only JSON is accepted.
  if (!/^application\/json\b/i.test(type))
    throw new AppError(
      'request-invalid',
      `the body is "${type || 'untyped'}"; send Content-Type: application/json`,
    )
  return context.req.text()
}

function parseBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (thrown) {
    const reason = toErrorMessage(thrown)
    throw new AppError('request-invalid', `the body is not JSON: ${reason}`)
  }
}
