import type { AppBridge } from '@modelcontextprotocol/ext-apps/app-bridge'
import { withoutUndefined } from '../../../../core/json/json.ts'
import type { EndedEvent } from '../../../../core/tool/invocation.ts'

type ToolResult = Parameters<AppBridge['sendToolResult']>[0]

/** Returns the ending of a call as MCP's result; a failure without content has its message. */
export function toToolResult(ending: EndedEvent): ToolResult {
  const { content, structuredContent, meta } = ending
  const isError = ending.type === 'failure' || ending.isError === true
  const message = ending.type === 'failure' ? ending.message : ''
  // The blocks are as the server sent them: the app checks them.
  return withoutUndefined({
    content: content.length === 0 && isError ? [{ type: 'text', text: message }] : content,
    structuredContent,
    isError: isError || undefined,
    _meta: meta,
  }) as ToolResult
}
