/**
 * The bridge: MCP servers as plain HTTP, as llm-functions' scripts speak it (PROTOCOLS: `/tools`, `POST /tools/:name`,
 * `/health`, `/pid`), and more for who asks for it: `?full=1`, `Accept: application/json` or `application/x-ndjson`.
 */
import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { stream } from 'hono/streaming'
import { AppError, toAppError } from '../../core/errors.ts'
import type { Failure, SessionEvent } from '../../core/invocation.ts'
import type { Catalog } from '../catalog.ts'
import { parseInput } from '../parse-input.ts'
import type { CallInput } from '../sources/source.ts'
import { type BridgeAccess, bridgeGuard } from './bridge-guard.ts'
import { type BridgeTool, type BridgeTools, declaration } from './bridge-tools.ts'
import { textOf } from './text-result.ts'

const MAX_BODY_BYTES = 32 * 1024 * 1024

export interface BridgeParts {
  readonly access: BridgeAccess
  readonly catalog: Catalog
  readonly tools: () => BridgeTools
  /** Resolves when every server has either given its list or failed. */
  readonly opened: Promise<unknown>
  readonly timeoutMs: number
  readonly version: string
}

type SessionEnding = Extract<SessionEvent, { type: 'result' | 'failure' }>

export function createBridge(parts: BridgeParts): Hono {
  const app = new Hono()
  let ready = false
  void parts.opened.then(() => {
    ready = true
  })
  app.onError((thrown, context) => context.text(`${toAppError(thrown).detail}\n`, 500))
  app.notFound(context => context.text(`There is no ${context.req.method} ${context.req.path}\n`, 404))
  app.use(bridgeGuard(parts.access))
  app.get('/', context => context.text(usage))
  // Scripts wait for this before they ask for the tools.
  app.get('/health', context => (ready ? context.text('OK') : context.text('STARTING', 503)))
  app.get('/pid', context => context.text(String(process.pid)))
  app.get('/tools', async context => {
    await parts.opened
    reviveFailed(parts.catalog)
    const full = context.req.query('full') === '1'
    context.header('Toolscope-Bridge', parts.version)
    return context.json(parts.tools().list.map(entry => declaration(entry, full)))
  })
  app.post(
    '/tools/:name',
    bodyLimit({
      maxSize: MAX_BODY_BYTES,
      onError: context => refuse(context, 413, `the body is over ${MAX_BODY_BYTES >> 20} MiB`),
    }),
    context => answerCall(context, parts),
  )
  return app
}

async function answerCall(context: Context, parts: BridgeParts): Promise<Response> {
  await parts.opened
  const name = context.req.param('name') ?? ''
  const entry = parts.tools().get(name)
  // To the letter, and with this status: scripts know it so.
  if (entry === undefined) {
    const message = `Not found tool '${name}'`
    return wants(context) === 'text' ? context.text(message) : context.json({ error: { message } }, 404)
  }
  const body = (await context.req.text()).trim()
  let input: CallInput
  try {
    input = parseInput(body)
  } catch (thrown) {
    return refuse(context, 400, thrown instanceof AppError ? thrown.detail : 'the body is not JSON')
  }
  if (typeof input.value !== 'object' || input.value === null || Array.isArray(input.value))
    return refuse(context, 400, 'the body must be a JSON object: the input of the tool')
  const events = run(parts, entry, input, context.req.raw.signal)
  if (wants(context) === 'events') return streamed(context, events)
  const ending = await last(events)
  return wants(context) === 'json' ? asJson(context, ending) : asText(context, ending)
}

function run(parts: BridgeParts, entry: BridgeTool, input: CallInput, signal: AbortSignal) {
  const { tool, session, timeoutMs = parts.timeoutMs } = parts.catalog.get(entry.tool.ref)
  if (session.call === undefined) throw new AppError('not-callable', entry.name)
  return session.call(tool, input, { signal, timeoutMs })
}

async function last(events: AsyncIterable<SessionEvent>): Promise<SessionEnding> {
  for await (const event of events) if (event.type === 'result' || event.type === 'failure') return event
  throw new AppError('internal', 'a call ended without a result')
}

function streamed(context: Context, events: AsyncIterable<SessionEvent>): Response {
  context.header('Content-Type', 'application/x-ndjson; charset=utf-8')
  return stream(context, async lines => {
    for await (const event of events) await lines.write(`${JSON.stringify(event)}\n`)
  })
}

function asText(context: Context, ending: SessionEnding): Response {
  if (ending.type === 'result') return context.text(textOf(ending))
  if (ending.isError === true) return context.text(`Tool Error\n${textOf(ending)}`)
  return context.text(`${ending.message}${ending.hint ? `\n${ending.hint}` : ''}\n`, statusOf(ending))
}

function asJson(context: Context, ending: SessionEnding): Response {
  if (ending.type === 'failure' && ending.isError !== true) {
    const { message, hint, reason, stderr } = ending
    return context.json({ error: { message, reason, hint, stderr } }, statusOf(ending))
  }
  const { content, structuredContent, isError = false, meta, raw } = ending
  const json = JSON.stringify({ content, isError, ...(meta ? { _meta: meta } : {}) })
  if (structuredContent === undefined) return context.body(json, 200, jsonType)
  // The exact text, where the result has one: numbers beyond 2^53 are right only there.
  const exact = raw ?? JSON.stringify(structuredContent)
  return context.body(`${json.slice(0, -1)},"structuredContent":${exact}}`, 200, jsonType)
}

const jsonType = { 'Content-Type': 'application/json; charset=utf-8' }

function statusOf({ reason }: Failure): 404 | 500 | 502 | 504 {
  if (reason === 'not-found') return 404
  if (reason === 'timeout') return 504
  if (reason === 'network' || reason === 'spawn' || reason === 'bad-output' || reason === 'too-large')
    return 502
  return 500
}

function wants(context: Context): 'text' | 'json' | 'events' {
  const accept = context.req.header('accept') ?? ''
  if (accept.includes('application/x-ndjson')) return 'events'
  return accept.includes('application/json') ? 'json' : 'text'
}

function refuse(context: Context, status: 400 | 413, message: string): Response {
  return wants(context) === 'text'
    ? context.text(`${message}\n`, status)
    : context.json({ error: { message } }, status)
}

/** Servers that gave no list are asked again behind the scenes, so that the next list may hold them. */
function reviveFailed(catalog: Catalog): void {
  for (const source of catalog.sources())
    if (source.status === 'failed') void catalog.refresh(source.name).catch(() => {})
}

const usage = `Toolscope bridge

GET  /tools          the tools: name, description, parameters, mcp (the server); ?full=1 for all that is known
POST /tools/:name    calls one; the body is its input as JSON. Accept: application/json for the whole result,
                     application/x-ndjson for progress too
GET  /health         OK once every server has started or failed
GET  /pid            the process to stop
`
