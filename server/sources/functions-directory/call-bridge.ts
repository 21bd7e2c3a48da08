/** Calls an entry with `mcp` through the bridge that serves it, where that runs on this machine. */
import type { SessionEvent } from '../../../core/call/invocation.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { callBridge } from '../bridge-url/call-bridge.ts'
import type { CallInput, CallOptions } from '../source.ts'

/** Where the bridge of this machine is: `MCP_BRIDGE_PORT` of the environment or of `.env`, else 8808. */
export function bridgeAddress(environment: NodeJS.ProcessEnv): string {
  const port = environment.MCP_BRIDGE_PORT ?? ''
  return `http://127.0.0.1:${/^\d{1,5}$/.test(port) ? port : '8808'}`
}

/** @param server the MCP server that the entry names. */
export async function* callThroughBridge(
  base: string,
  server: string,
  tool: ManifestTool,
  input: CallInput,
  options: CallOptions,
): AsyncGenerator<SessionEvent> {
  for await (const event of callBridge(base, tool, input, options)) {
    if (event.type !== 'failure' || event.reason !== 'network' || event.meta?.status !== undefined)
      yield event
    else
      yield {
        ...event,
        message: `Not callable: the tool lives on the MCP server "${server}", and no bridge answers at ${base}.`,
        hint: 'Start the bridge: `toolscope bridge mcp.json`, or `argc mcp start` in the tree. MCP_BRIDGE_PORT names another port.',
      }
  }
}
