/**
 * The definition of our MCP server, from which the SDK makes an instance for each connection, in the old or the new
 * protocol.
 */
import { setTimeout } from 'node:timers/promises'
import {
  BAGGAGE_META_KEY,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  ProtocolError,
  ProtocolErrorCode,
  type Server,
  TRACEPARENT_META_KEY,
  TRACESTATE_META_KEY,
} from '@modelcontextprotocol/server'
import { isObject, own } from '../../core/json/json.ts'
import { confirmReason } from '../../core/tool/confirm-reason.ts'
import type { ContentBlock, EndedEvent, Failure, SessionEnding } from '../../core/tool/invocation.ts'
import { awaitEnding } from '../../core/tool/outcome.ts'
import { formatStructured, omitRepeated } from '../../core/tool/result-value.ts'
import { getTaskSupport, tasksExtension } from '../../core/tool/task.ts'
import type { Caller } from '../calls/call.ts'
import { readTrace } from '../calls/read-trace.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { readServed, type ServedPins, toRefusedEntry } from '../pins/refused-entry.ts'
import type { Emitter } from '../process/events.ts'
import { version } from '../process/version.ts'
import type { CallerFacts } from '../sources/source.ts'
import { CallLogs, readLog, type SourceNotification, sendToConnection } from './pass-notifications.ts'
import { type ClientOfCall, HeldCalls, type McpRequest } from './pass-questions.ts'
import { declaresTasks, LegacyTasks, ModernTasks, maxTaskMs, TaskServer } from './serve-tasks.ts'
import { type Selection, servedTools } from './served-tools.ts'

const pageSize = 500
/** How long the first list waits for slow sources. */
const maxFirstListMs = 15_000

export interface ServedCatalog {
  readonly catalog: Catalog
  readonly selection: Selection
  readonly timeoutMs: number
  /** Whether tools in LLM_MCP_NEED_CONFIRM may be called, because no user can be asked. */
  readonly allowDestructive: boolean
  /** Resolves when every source has returned its list or failed. */
  readonly opened: Promise<unknown>
  readonly instructions?: string | undefined
  /** Values of the agents' variables, by name. */
  readonly variables: Readonly<Record<string, string>>
  readonly call: Caller
  /** Lists what is not as it was approved without its texts; null: nothing is pinned here. */
  readonly pins: ServedPins
  /** Is called with the name of a tool that is called and not served. */
  readonly refused?: ((name: string) => void) | undefined
  /** The MCP servers among the sources say these at any time. */
  readonly notifications: Pick<Emitter<SourceNotification>, 'on'>
}

export interface McpFactory {
  /** Returns a server that answers requests, but notifies only during a call. */
  build(era: 'legacy' | 'modern'): Server
  /**
   * Returns a server for one connection of a client of the legacy era, which may be notified at any time.
   *
   * @param hasStreams each request has a stream of its own, which receives the log messages of its call
   */
  buildConnection(options: { readonly hasStreams: boolean }): Server
  /** Calls `listener` after each change of the list, until the returned function is called. */
  onToolsChanged(listener: () => void): () => void
}

interface ListPage {
  readonly tools: readonly object[]
  readonly nextCursor?: string
}

interface McpHandlers {
  /** Absent: the calls are never tasks. */
  readonly modernTasks?: ModernTasks<ServedResult>
  /** Returns a page of the list, starting at a cursor. */
  list(cursor: string | undefined): ListPage | Promise<ListPage>
  /** Makes one call; `undefined` if no tool has that name. */
  call(
    name: string,
    input: { readonly [key: string]: unknown },
    request: McpRequest,
    client: ClientFacts,
  ): Promise<object> | undefined
}

interface ClientFacts {
  readonly capabilities: ClientCapabilities | undefined
  /** Takes the log messages of the call: true for itself, because they cannot be sent at any time. */
  readonly logs: CallLogs | boolean
  /** The client asks for a task, which is one of these. */
  readonly task?: { readonly tasks: LegacyTasks<ServedResult>; readonly ttl: number } | undefined
}

/** Returns a factory of servers that list and call through the handlers, once the sources of the catalog are open. */
export function createMcpFactory(
  served: Pick<ServedCatalog, 'catalog' | 'opened' | 'instructions' | 'notifications' | 'refused'>,
  handlers: McpHandlers,
): McpFactory {
  const { instructions, catalog, notifications } = served
  // A client waits only so long for its list; tools that arrive later are announced as a change.
  const opened = Promise.race([served.opened, setTimeout(maxFirstListMs, undefined, { ref: false })])
  const buildWith = (era: 'legacy' | 'modern', connection?: { readonly logs: CallLogs | false }) => {
    const { modernTasks } = handlers
    const hasLegacyTasks = modernTasks !== undefined && connection !== undefined
    const server = new TaskServer(
      { name: 'toolscope', version },
      {
        capabilities: {
          tools: { listChanged: true },
          logging: {},
          ...(hasLegacyTasks && { tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } }),
          ...(modernTasks !== undefined && era === 'modern' && { extensions: { [tasksExtension]: {} } }),
        },
        ...(instructions ? { instructions } : {}),
      },
    )
    const tasks = hasLegacyTasks ? new LegacyTasks<ServedResult>(server) : undefined
    if (era === 'modern') modernTasks?.serve(server)
    server.setRequestHandler('tools/list', async ({ params }) => {
      await opened
      // The shape was checked entry by entry; the SDK's type cannot express "any JSON Schema".
      return (await handlers.list(params?.cursor)) as { tools: never[] }
    })
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      await opened
      const wanted = tasks && own(params, 'task')
      const ttl = isObject(wanted) ? own(wanted, 'ttl') : undefined
      const answer = handlers.call(params.name, params.arguments ?? {}, mcpReq, {
        capabilities: readEnvelope(mcpReq, CLIENT_CAPABILITIES_META_KEY) ?? server.getClientCapabilities(),
        logs: connection === undefined ? true : connection.logs,
        task: tasks && isObject(wanted) ? { tasks, ttl: readTtl(ttl) } : undefined,
      })
      if (answer === undefined) {
        served.refused?.(params.name)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
      }
      // The handlers return the blocks that the SDK's stricter type requires.
      return (await answer) as CallToolResult
    })
    return { server, tasks }
  }
  const onToolsChanged = (listener: () => void) => catalog.sources.onToolsChange(listener)
  return {
    build: era => buildWith(era).server,
    buildConnection({ hasStreams }) {
      const logs = hasStreams ? new CallLogs() : false
      const { server, tasks } = buildWith('legacy', { logs })
      const stops = [
        onToolsChanged(() => void server.sendToolListChanged().catch(() => {})),
        notifications.on(sendToConnection(server, logs)),
      ]
      server.onclose = () => {
        for (const stop of stops) stop()
        tasks?.close()
      }
      return server
    },
    onToolsChanged,
  }
}

/** Returns the milliseconds that a task is remembered, from what its client wants. */
function readTtl(wanted: unknown): number {
  return typeof wanted === 'number' && wanted > 0 ? Math.min(wanted, maxTaskMs) : maxTaskMs
}

export function mcpFactory(served: ServedCatalog): McpFactory {
  const { catalog, selection } = served
  const tools = catalog.sources.cached(() =>
    servedTools(catalog.tools.list(), selection, catalog.knownNames()),
  )
  const heldCalls = new HeldCalls<ServedResult>()
  const modernTasks = new ModernTasks<ServedResult>()
  return createMcpFactory(served, {
    modernTasks,
    list: cursor =>
      readServed(served.pins, refusals => {
        const { page, from, nextCursor } = cutPage(tools(), cursor)
        const entries = page.map(({ entry, tool }, at) => {
          const refusal = refusals.get(tool.ref)
          return refusal === undefined ? entry : toRefusedEntry(entry.name, refusal, from + at)
        })
        return { tools: entries, ...(nextCursor !== undefined && { nextCursor }) }
      }),
    call(name, input, request, { capabilities, logs, task }) {
      const found = tools().find(({ entry }) => entry.name === name)
      if (found === undefined) return undefined
      if (!served.allowDestructive && confirmReason(found.tool) === 'rule') return refused(name)
      const { ref, source } = found.tool
      const begin = async (client: ClientOfCall) => {
        const stop = takeLogs(logs, source, client, served.notifications)
        try {
          const called = { ref, input, request, ttl: task?.ttl }
          return servedResult(await run(served, called, client), found.typed)
        } finally {
          stop()
        }
      }
      if (task !== undefined) {
        if (getTaskSupport(found.tool) === 'forbidden')
          throw new ProtocolError(ProtocolErrorCode.MethodNotFound, `${name} cannot be called as a task`)
        return Promise.resolve(task.tasks.create(request, task.ttl, capabilities, begin))
      }
      const makesTask = declaresTasks(capabilities) ? modernTasks : undefined
      return heldCalls.answer({ name, input }, request, capabilities, begin, makesTask)
    },
  })
}

/** Sends the log messages of the call's source with the call. Returns a function that stops it. */
function takeLogs(
  logs: CallLogs | boolean,
  source: string,
  client: ClientOfCall,
  notifications: ServedCatalog['notifications'],
): () => void {
  if (logs === false) return () => {}
  if (logs !== true) return logs.add(source, client.log)
  return notifications.on(said => {
    const isLog = said.notification.method === 'notifications/message'
    if (isLog && said.source === source) client.log(...readLog(said))
  })
}

/** The SDK's type does not name the members that the SDK has checked and that a request of 2026-07-28 carries. */
function readEnvelope<Key extends keyof RequestMeta>(
  { envelope = {} }: McpRequest,
  key: Key,
): RequestMeta[Key] {
  return (envelope as RequestMeta)[key]
}

interface RequestMeta {
  readonly [CLIENT_CAPABILITIES_META_KEY]?: ClientCapabilities
  readonly [LOG_LEVEL_META_KEY]?: LoggingLevel
}

function readCaller(request: McpRequest): CallerFacts {
  const { _meta = {}, envelope } = request
  const {
    [TRACEPARENT_META_KEY]: traceparent,
    [TRACESTATE_META_KEY]: tracestate,
    [BAGGAGE_META_KEY]: baggage,
  } = _meta
  // A legacy client sets its level with `logging/setLevel`, and our server leaves out what is below it.
  const logLevel = envelope === undefined ? 'debug' : readEnvelope(request, LOG_LEVEL_META_KEY)
  return { trace: readTrace({ traceparent, tracestate, baggage }), logLevel }
}

interface ServedCall {
  readonly ref: string
  readonly input: unknown
  /** The first request of the call. */
  readonly request: McpRequest
  /** The client asked for a task, and for this many milliseconds. */
  readonly ttl: number | undefined
}

/** Returns the ending of a call; its progress and its questions go to the client. */
function run(
  { call, timeoutMs, variables }: ServedCatalog,
  { ref, input, request, ttl }: ServedCall,
  { signal, ask, progress, onTask }: ClientOfCall,
): Promise<EndedEvent> {
  const events = call({
    ref,
    input: { text: JSON.stringify(input), value: input },
    origin: 'mcp',
    options: {
      defaultTimeoutMs: Math.max(timeoutMs, ttl ?? 0),
      variables,
      withoutVerdicts: true,
      ask,
      asTask: ttl !== undefined,
      caller: readCaller(request),
    },
    signal,
  })
  return awaitEnding(events, async event => {
    if (event.type === 'task') onTask(event.task)
    if (event.type !== 'progress') return
    const { type: _type, ...given } = event
    await progress(given)
  })
}

/** Returns a result that a model can read, like that of a failed call. */
async function refused(name: string): Promise<ServedResult> {
  const text = `${name} was not called: LLM_MCP_NEED_CONFIRM requires a confirmation, which cannot be asked for here. toolscope mcp --allow-destructive calls it.`
  return { content: [{ type: 'text', text }], isError: true }
}

/** Returns a page of a list, starting at a cursor. Throws ProtocolError if there is no such page. */
export function cutPage<Entry>(list: readonly Entry[], cursor: string | undefined) {
  const from = pageStart(cursor)
  const next = from + pageSize
  return {
    page: list.slice(from, next),
    from,
    nextCursor: next < list.length ? String(next) : undefined,
  }
}

function pageStart(cursor: string | undefined): number {
  const start = Number(cursor ?? 0)
  if (Number.isSafeInteger(start) && start >= 0) return start
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'the cursor is not valid')
}

/* Converts a call's ending into an MCP result that old and new clients can read, without losing content. */

const maxStderrCharacters = 2_000

interface ServedResult {
  readonly content: ContentBlock[]
  readonly structuredContent?: Record<string, unknown>
  readonly isError?: boolean
  readonly [key: string]: unknown
}

/** @param typed whether the client received the tool's output schema and therefore expects structured content */
function servedResult(ending: SessionEnding, typed: boolean): ServedResult {
  const content = ending.content.map(named)
  const { structuredContent } = ending
  // Old clients read only text: the specification requires the JSON there too.
  if (structuredContent !== undefined && content.length === 0)
    content.push({ type: 'text', text: formatStructured(ending) })
  const structured = isObject(structuredContent) ? { structuredContent } : {}
  if (ending.type === 'failure') {
    if (ending.isError !== true) content.unshift({ type: 'text', text: explain(ending) })
    if (!typed) return { content, ...structured, isError: true }
    // Old clients validate even an error's structured content against the schema; as text it cannot be refused.
    if (structuredContent !== undefined && ending.content.length > 0)
      content.push({ type: 'text', text: formatStructured(ending) })
    return { content, isError: true }
  }
  if (typed && !isObject(structuredContent)) {
    // A client would refuse the result and drop it; an error is shown.
    content.push({ type: 'text', text: 'The tool declares an output schema but returned no JSON object.' })
    return { content, isError: true }
  }
  return { content, ...structured }
}

function explain({ message, hint = '', stderr = '' }: Failure): string {
  const stderrEnd = stderr.slice(-maxStderrCharacters)
  return [omitRepeated(message, stderrEnd), hint, stderrEnd].filter(line => line !== '').join('\n')
}

/** The SDKs' clients accept a resource link only with a name. */
function named(block: ContentBlock): ContentBlock {
  return block.type === 'resource_link' && block.name === undefined ? { ...block, name: block.uri } : block
}
