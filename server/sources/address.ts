/** Source kind: a bare address. What is there is found out when it is opened: a bridge, else an MCP server. */
import { askBridge, BridgeSession } from './bridge-url/bridge-url.ts'
import { mcpServer } from './mcp-server/mcp-server.ts'
import { loneWord, type SourceKind } from './source.ts'

/** How long an address may take to say whether it is a bridge before it is taken for an MCP server. */
const ASK_MS = 3_000

export const address: SourceKind<{ readonly url: string }> = {
  kind: 'address',

  async detect(words) {
    const url = loneWord(words) ?? ''
    return /^https?:\/\/\S+$/i.test(url) ? { url } : null
  },

  async open({ url }, settings, context) {
    // The usual paths of MCP servers need no question.
    if (/\/(?:mcp|sse)\/?$/.test(new URL(url).pathname)) return mcpServer.open({ url }, settings, context)
    const base = url.replace(/\/+$/, '')
    // Where nothing answers at all, the MCP session says so, and tries again when it is asked.
    const answer = await askBridge(base, AbortSignal.timeout(ASK_MS)).catch(() => null)
    return answer === null ? mcpServer.open({ url }, settings, context) : new BridgeSession(base)
  },
}
