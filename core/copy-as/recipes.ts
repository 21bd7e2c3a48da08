/** Everything that "Copy as" offers, in the order of its menu. */
import type { Recipe } from './copy-context.ts'
import { curlApi } from './curl-api.ts'
import { curlBridge } from './curl-bridge.ts'
import { fetchTypescript } from './fetch-typescript.ts'
import { mcpRequest } from './mcp-request.ts'
import { shellCommand } from './shell-command.ts'
import { toolscopeCall } from './toolscope-call.ts'

export const recipes = [
  { id: 'shell', title: 'Shell command', make: shellCommand },
  { id: 'toolscope', title: 'toolscope call', make: toolscopeCall },
  { id: 'curl-bridge', title: 'curl to the bridge', make: curlBridge },
  { id: 'curl', title: 'curl to Toolscope', make: curlApi },
  { id: 'fetch', title: 'TypeScript fetch', make: fetchTypescript },
  { id: 'mcp', title: 'MCP tools/call', make: mcpRequest },
] as const satisfies readonly { readonly id: string; readonly title: string; readonly make: Recipe }[]
