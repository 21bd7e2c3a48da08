/** One definition of our MCP server, from which the SDK makes an instance for each connection of either era. */

import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { CallEvent, EndedEvent } from '../../core/call/invocation.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { type Caller, endingOf } from '../calls/call.ts'
import type { Catalog } from '../catalog/catalog.ts'
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
  readonly call: Caller
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
      const ending = await run(served, found.tool.ref, params.arguments ?? {}, signal, async event => {
        if (progressToken === undefined) return
        const { progress, total, message } = event
        await notify({
          method: 'notifications/progress',
          params: {
            progressToken,
            progress,
            ...withoutUndefined({ total, message }),
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

/** The ending of a call; its progress goes to `onProgress`. */
function run(
  { call, timeoutMs }: ServedCatalog,
  ref: string,
  input: unknown,
  signal: AbortSignal,
  onProgress: (event: Progress) => Promise<void>,
): Promise<EndedEvent> {
  const events = call({
    ref,
    input: { text: JSON.stringify(input), value: input },
    origin: 'mcp',
    options: { defaultTimeoutMs: timeoutMs, withoutVerdicts: true },
    signal,
  })
  return endingOf(events, event => (event.type === 'progress' ? onProgress(event) : undefined))
}

type Progress = Extract<CallEvent, { type: 'progress' }>

function pageStart(cursor: string | undefined): number {
  const start = Number(cursor ?? 0)
  if (Number.isSafeInteger(start) && start >= 0) return start
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'the cursor is none of ours')
}
