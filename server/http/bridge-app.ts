/**
 * The bridge: serves MCP servers as plain HTTP in the protocol of llm-functions' scripts (PROTOCOLS: `/tools`,
 * `POST /tools/:name`, `/health`, `/pid`). Extensions: `?full=1`, `?asks=1` with `POST /calls/:id/answers`, and `Accept:` of
 * `application/json`, `application/x-ndjson` and `text/event-stream`.
 */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { LRUCache } from 'lru-cache'
import { questionAnswer } from '../../core/api/calls.ts'
import { AppError, errorText, toAppError } from '../../core/errors.ts'
import { parseJson, withoutUndefined } from '../../core/json/json.ts'
import { numbered, SourceNames } from '../../core/prompt/legal-names.ts'
import { decodePercents } from '../../core/text/uri.ts'
import { awaitEnding } from '../../core/tool/outcome.ts'
import type { Tool } from '../../core/tool/tool.ts'
import { type AskPerson, PendingQuestions } from '../calls/answer-question.ts'
import { type Caller, sessionEventsOf } from '../calls/call.ts'
import { parseInput } from '../calls/parse-input.ts'
import { readTrace } from '../calls/read-trace.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { limitCatalog } from '../catalog/limited-catalog.ts'
import type { Person } from '../people/people.ts'
import { readServed, type ServedPins, toRefusedEntry } from '../pins/refused-entry.ts'
import type { CallInput } from '../sources/source.ts'
import type { Validator } from '../workers/validator.ts'
import {
  createJsonAnswer,
  createTextAnswer,
  formatAnswer,
  type HttpAnswer,
  isStream,
  refuse,
  wantedBy,
} from './answer.ts'
import { type BridgeAccess, createBridgeGuard, recordRefusal } from './bridge-guard.ts'
import {
  type BridgeHeaders,
  bridgeHeaders,
  forwardRequest,
  getCloseSignal,
  readRequestBody,
  stream,
} from './node-requests.ts'

const maxBodyBytes = 32 * 1024 * 1024

interface BridgeParts {
  readonly access: BridgeAccess
  readonly catalog: Catalog
  readonly tools: () => BridgeTools
  /** The sources whose tools get no prefix, for the lists of people that see only some sources. */
  readonly unprefixed?: ReadonlySet<string>
  /** Resolves when every server has returned its list or failed. */
  readonly opened: Promise<unknown>
  readonly timeoutMs: number
  readonly version: string
  readonly call: Caller
  /** Lists what is not as it was approved without its texts; null: nothing is pinned here. */
  readonly pins: ServedPins
  /** Validates the answers to questions. */
  readonly validator: Validator
}

/** The part of the bridge for a person or the operator: only its tools, and the questions of its own calls. */
interface PersonBridge {
  readonly catalog: Catalog
  readonly tools: () => BridgeTools
  /** @param refused is called with the tool of each call that is refused to the person */
  callFor(refused: (target: string) => void): Caller
  readonly questions: PendingQuestions
}

/** The state of the server, shared by all requests. */
interface SharedBridge extends Omit<BridgeParts, 'catalog' | 'tools' | 'call'> {
  readonly headers: BridgeHeaders
  readonly state: { ready: boolean }
}

interface Bridge extends SharedBridge, PersonBridge {
  /** Adds an entry for a refused call of this request to the audit log. */
  refused(target: string): void
}

/** People whose part of the bridge is kept. */
const maxPeople = 1_000

export function createBridge(parts: BridgeParts): RequestListener {
  const state = { ready: false }
  const shared: SharedBridge = { ...parts, headers: bridgeHeaders(parts.version), state }
  const findBridge = createPersonBridges(parts)
  const check = createBridgeGuard(parts.access)
  void parts.opened.then(() => {
    state.ready = true
  })
  const respond = async (request: IncomingMessage, response: ServerResponse) => {
    const sender = { headers: request.headers, address: request.socket.remoteAddress }
    const { path } = splitTarget(request.url ?? '/')
    const checked = check({ ...sender, method: request.method, path })
    if ('status' in checked) {
      if (checked.retryAfterS !== undefined) response.setHeader('Retry-After', checked.retryAfterS)
      return createTextAnswer(checked.message, checked.status)
    }
    const { person } = checked
    const stop = parts.access.people?.whileValid(person, () => response.destroy())
    if (stop !== undefined) response.once('close', stop)
    const refused = (target: string) => {
      if (person !== undefined) recordRefusal(parts.access, { ...sender, person, what: 'call', target })
    }
    return answer({ ...shared, ...findBridge(person), refused }, request, response)
  }
  return (request, response) => {
    respond(request, response)
      .catch(thrown => refuseWith(toAppError(thrown), request, response))
      .then(given => {
        if (given !== undefined) forwardRequest(request, response, shared.headers, given)
      })
      .catch(() => response.destroy())
  }
}

/** The operator and each person have their own part; with people of the same sources they share the list of tools. */
function createPersonBridges(parts: BridgeParts) {
  const { catalog, tools, unprefixed = new Set(), call, access, validator } = parts
  const { people } = access
  const operator: PersonBridge = {
    catalog,
    tools,
    callFor: () => call,
    questions: new PendingQuestions(validator),
  }
  const bridges = new LRUCache<string, PersonBridge>({ max: maxPeople })
  return (person: Person | undefined): PersonBridge => {
    if (person === undefined || people === undefined) return operator
    const key = JSON.stringify(person)
    const known = bridges.get(key)
    if (known !== undefined) return known
    const own = person.sources === undefined ? undefined : limitCatalog(catalog, new Set(person.sources))
    const bridge: PersonBridge = {
      catalog: own ?? catalog,
      tools: own === undefined ? tools : bridgeTools(own, unprefixed),
      callFor: refused => people.callerFor(call, person, own, refused),
      questions: new PendingQuestions(validator),
    }
    bridges.set(key, bridge)
    return bridge
  }
}

function refuseWith(error: AppError, { headers }: IncomingMessage, response: ServerResponse): HttpAnswer {
  const { code, detail, retryAfterS } = error
  if (retryAfterS !== undefined && !response.headersSent) response.setHeader('Retry-After', retryAfterS)
  const isRefusal = code === 'too-many-requests' || code === 'not-allowed'
  return isRefusal
    ? refuse(wantedBy(headers.accept), errorText(code).status, detail)
    : createTextAnswer(`${detail}\n`, 500)
}

/** Resolves to undefined if the answer is streamed. */
async function answer(
  bridge: Bridge,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpAnswer | undefined> {
  const { path, query } = splitTarget(request.url ?? '/')
  const { method } = request
  if (method === 'POST' && path.startsWith('/tools/'))
    return answerCall(bridge, { name: nameIn(path), query }, request, response)
  const answered = method === 'POST' ? /^\/calls\/([^/]+)\/answers$/.exec(path)?.[1] : undefined
  if (answered !== undefined) return answerQuestion(bridge, answered, request)
  if (method === 'GET' || method === 'HEAD') {
    if (path === '/') return createTextAnswer(usage)
    // Scripts wait for `/health` before they request the tools.
    if (path === '/health')
      return bridge.state.ready ? createTextAnswer('OK') : createTextAnswer('STARTING', 503)
    if (path === '/pid') return createTextAnswer(String(process.pid))
    if (path === '/tools') return listTools(bridge, new URLSearchParams(query).get('full') === '1')
  }
  return createTextAnswer(`There is no ${method} ${path}\n`, 404)
}

async function listTools({ opened, catalog, tools, pins }: Bridge, full: boolean): Promise<HttpAnswer> {
  await opened
  reviveFailed(catalog)
  const entries = await readServed(pins, refusals =>
    tools().list.map((entry, at) => {
      const refusal = refusals.get(entry.tool.ref)
      if (refusal === undefined) return declaration(entry, full)
      const { inputSchema: parameters, ...refused } = toRefusedEntry(entry.name, refusal, at)
      return { ...refused, parameters, mcp: entry.tool.source }
    }),
  )
  return createJsonAnswer(entries)
}

async function answerCall(
  bridge: Bridge,
  { name, query }: { readonly name: string; readonly query: string },
  request: IncomingMessage,
  response: ServerResponse,
): Promise<HttpAnswer | undefined> {
  const wanted = wantedBy(request.headers.accept)
  if (!bridge.state.ready) await bridge.opened
  const entry = bridge.tools().get(name)
  // Scripts depend on this exact text and on status 200.
  if (entry === undefined) {
    bridge.refused(name)
    const message = `Not found tool '${name}'`
    return wanted === 'text' ? createTextAnswer(message) : createJsonAnswer({ error: { message } }, 404)
  }
  const body = await readRequestBody(request, maxBodyBytes)
  if (body === null) return refuse(wanted, 413, `the body is over ${maxBodyBytes >> 20} MiB`)
  let input: CallInput
  try {
    input = parseInput(body)
  } catch (thrown) {
    return refuse(wanted, 400, thrown instanceof AppError ? thrown.detail : 'the body is not JSON')
  }
  if (typeof input.value !== 'object' || input.value === null || Array.isArray(input.value))
    return refuse(wanted, 400, 'the body must be a JSON object: the input of the tool')
  const signal = getCloseSignal(request.socket)
  const canAnswer = isStream(wanted) && new URLSearchParams(query).get('asks') === '1'
  const events = bridge.callFor(bridge.refused)({
    ref: entry.tool.ref,
    input,
    origin: 'bridge',
    options: {
      defaultTimeoutMs: bridge.timeoutMs,
      withoutProgress: !isStream(wanted),
      withoutVerdicts: true,
      ask: canAnswer ? bridge.questions.ask : isStream(wanted) ? decline : undefined,
      // https://www.w3.org/TR/trace-context/
      caller: { trace: readTrace({ ...request.headers }) },
    },
    signal,
  })
  if (!isStream(wanted)) return formatAnswer(await awaitEnding(events), wanted)
  // A caller that answers needs the id of the call, which is in the first event.
  const sent = canAnswer ? events : sessionEventsOf(events)
  await stream(response, bridge.headers, sent, { format: wanted, signal })
  return undefined
}

const decline: AskPerson = async () => ({
  action: 'decline',
  by: 'toolscope',
  note: 'The caller of the bridge cannot be asked: it must accept a stream of events, and call with ?asks=1.',
})

/** Answers with the verdict: status 200, or 422 if the answer breaks the schema of its question and was not sent. */
async function answerQuestion(
  { questions }: Bridge,
  callId: string,
  request: IncomingMessage,
): Promise<HttpAnswer> {
  const body = await readRequestBody(request, maxBodyBytes)
  if (body === null) return refuse('json', 413, `the body is over ${maxBodyBytes >> 20} MiB`)
  const given = questionAnswer.safeParse(parseJson(body))
  if (!given.success)
    return refuse('json', 400, 'the body must be {"question": its id, "action": "accept", "content": {…}}')
  const { question, action, content } = given.data
  try {
    const validation = await questions.answer(callId, question, withoutUndefined({ action, content }))
    return createJsonAnswer(validation, validation.verdict === 'invalid' ? 422 : 200)
  } catch (thrown) {
    return refuse('json', 404, toAppError(thrown).detail)
  }
}

/** A request's target is a path, or the whole URL if the request came through a proxy. */
function splitTarget(url: string): { path: string; query: string } {
  const local = url.replace(/^https?:\/\/[^/?]*/i, '')
  const mark = local.indexOf('?')
  return mark < 0 ? { path: local, query: '' } : { path: local.slice(0, mark), query: local.slice(mark) }
}

function nameIn(path: string): string {
  return decodePercents(path.slice('/tools/'.length))
}

/** Refreshes failed servers in the background, so that the next list may contain their tools. */
function reviveFailed(catalog: Catalog): void {
  for (const source of catalog.sources.list())
    if (source.status === 'failed') void catalog.sources.refresh(source.name).catch(() => {})
}

const usage = `Toolscope bridge

GET  /tools          the tools: name, description, parameters, mcp (the server); ?full=1 for all that is known
POST /tools/:name    calls one; the body is its input as JSON. Accept: application/json for the whole result,
                     application/x-ndjson or text/event-stream for progress too, ?asks=1 for questions
POST /calls/:id/answers   answers a question: {question, action, content}
GET  /health         OK once every server has started or failed
GET  /pid            the process to stop
`

interface BridgeTool {
  readonly name: string
  readonly tool: Tool
}

interface BridgeTools {
  readonly list: readonly BridgeTool[]
  get(name: string): BridgeTool | undefined
}

/** Rebuilds the list after each change of the tools. `unprefixed` names the sources whose tools get no prefix. */
export function bridgeTools(catalog: Catalog, unprefixed: ReadonlySet<string>): () => BridgeTools {
  return catalog.sources.cached(() => build(catalog, unprefixed))
}

function build(catalog: Catalog, unprefixed: ReadonlySet<string>): BridgeTools {
  const tools = catalog.tools.list().filter(tool => tool.callable)
  const known = catalog.knownNames().filter(each => typeof each === 'string' || unprefixed.has(each.source))
  const own = new SourceNames(name => bridgeName('', name, false), known)
  const withOwn = tools.filter(({ source }) => unprefixed.has(source))
  for (const { source, name } of withOwn) own.add(bridgeName(source, name, false), source)
  const names = numbered(
    tools.map(({ source, name }) => {
      const isOwn = unprefixed.has(source) && !own.needsSource(bridgeName(source, name, false), source)
      return bridgeName(source, name, !isOwn)
    }),
    {
      sources: tools.map(({ source }) => source),
      own: tools.map(({ source, name }) => bridgeName(source, name, !unprefixed.has(source))),
    },
  )
  const list = tools.map((tool, index) => ({ name: names[index] ?? tool.name, tool }))
  const byName = new Map(list.map(entry => [entry.name, entry]))
  return { list, get: name => byName.get(name) }
}

/** `Files` and `read-file` → `files_read_file`; without the server's name if its entry has `"prefix": false`. */
export function bridgeName(server: string, tool: string, prefix: boolean): string {
  return (prefix ? `${server}_${tool}` : tool).toLowerCase().replaceAll('-', '_')
}

/** Returns an entry of `GET /tools`; `full` adds fields that are not part of the llm-functions protocol. */
function declaration({ name, tool }: BridgeTool, full: boolean): object {
  const { description = '', inputSchema, source } = tool
  const plain = { name, description, parameters: inputSchema, mcp: source }
  if (!full) return plain
  const { title = tool.name, outputSchema, annotations } = tool
  return withoutUndefined({ ...plain, title, outputSchema, annotations })
}
