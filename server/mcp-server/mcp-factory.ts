/** One definition of our MCP server, from which the SDK makes an instance for each connection of either era. */
import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { SessionEvent } from '../../core/call/invocation.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { callSecrets } from '../history/call-secrets.ts'
import type { PassOn } from '../history/record-session.ts'
import { version } from '../package/version.ts'
import { servedResult } from './served-result.ts'
import { type Selection, type ServedTool, servedTools } from './served-tools.ts'

const PAGE_SIZE = 500
/** How long the first list waits for slow sources. */
const PATIENCE_MS = 15_000

export interface ServedCatalog {
  readonly catalog: Catalog
  readonly selection: Selection
  readonly timeoutMs: number
  /** Resolves when every source has given its list or failed. */
  readonly opened: Promise<unknown>
  readonly instructions?: string | undefined
  /** Notes each call; absent where none are remembered. */
  readonly passOn?: PassOn | undefined
}

export interface McpFactory {
  build(): Server
  /** Calls `listener` after each change of the list, until the returned function is called. */
  onToolsChanged(listener: () => void): () => void
}

export function mcpFactory(served: ServedCatalog): McpFactory {
  const { catalog } = served
  // A client waits for its list only so long; what comes later is announced as a change.
  const opened = Promise.race([
    served.opened,
    new Promise(resolve => setTimeout(resolve, PATIENCE_MS).unref()),
  ])
  let built: readonly ServedTool[] | undefined
  const tools = () => {
    built ??= servedTools(catalog.tools.list(), served.selection)
    return built
  }
  catalog.sources.onChange(() => {
    built = undefined
  })

  const build = () => {
    const { instructions } = served
    const server = new Server(
      { name: 'toolscope', version },
      { capabilities: { tools: { listChanged: true } }, ...(instructions ? { instructions } : {}) },
    )
    server.setRequestHandler('tools/list', async ({ params }) => {
      await opened
      const from = pageStart(params?.cursor)
      const list = tools()
      const next = from + PAGE_SIZE
      const page = list.slice(from, next).map(({ entry }) => entry)
      // The shape was checked entry by entry; the SDK's type cannot say "any JSON Schema".
      return { tools: page as never[], ...(next < list.length ? { nextCursor: String(next) } : {}) }
    })
    server.setRequestHandler('tools/call', async ({ params }, context) => {
      await opened
      const found = tools().find(({ entry }) => entry.name === params.name)
      if (found === undefined)
        throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`)
      const { signal, _meta, notify } = context.mcpReq
      const progressToken = _meta?.progressToken
      const ending = await run(served, found, params.arguments ?? {}, signal, async event => {
        if (progressToken === undefined) return
        const { progress, total, message } = event
        await notify({
          method: 'notifications/progress',
          params: {
            progressToken,
            progress,
            ...(total === undefined ? {} : { total }),
            ...(message === undefined ? {} : { message }),
          },
        })
      })
      // The SDK's type asks for the same blocks, each with a little less freedom; `servedResult` sees to that.
      return servedResult(ending, found.typed) as CallToolResult
    })
    return server
  }
  return { build, onToolsChanged: listener => catalog.sources.onChange(listener) }
}

type Progress = Extract<SessionEvent, { type: 'progress' }>

async function run(
  served: ServedCatalog,
  { tool }: ServedTool,
  input: unknown,
  signal: AbortSignal,
  progress: (event: Progress) => Promise<void>,
): Promise<Extract<SessionEvent, { type: 'result' | 'failure' }>> {
  const { session, environment, timeoutMs = served.timeoutMs } = served.catalog.callTarget(tool.ref)
  const sent = { text: JSON.stringify(input), value: input }
  const events = session.call?.(tool, sent, { signal, timeoutMs }) ?? none()
  const call = { tool, input: sent, timeoutMs, secrets: callSecrets(session, environment) }
  for await (const event of served.passOn?.(events, call) ?? events) {
    if (event.type === 'result' || event.type === 'failure') return event
    if (event.type === 'progress') await progress(event)
  }
  return { type: 'failure', reason: 'bad-output', content: [], message: 'The source ended without a result.' }
}

async function* none(): AsyncGenerator<SessionEvent> {}

function pageStart(cursor: string | undefined): number {
  const start = Number(cursor ?? 0)
  if (Number.isSafeInteger(start) && start >= 0) return start
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'the cursor is none of ours')
}
