/** Source kind: a bare address. What is there is found out when it is opened: a bridge, else an MCP server. */
import { resolve } from 'node:path'
import { fileStatus, findOnPath } from '../process/command-line.ts'
import { askBridge, BridgeSession } from './bridge-url/bridge-url.ts'
import { mcpServer } from './mcp-server/mcp-server.ts'
import { loneWord, type SourceKind } from './source.ts'

/** How long an address may take to say whether it is a bridge before it is taken for an MCP server. */
const ASK_MS = 3_000

/**
 * `localhost:3000` or `example.com/mcp` with its scheme; undefined where it cannot be an address. A path of a file that is
 * missing (`build.old/tools.json`) is no address: a typing error must not ask a host.
 */
function withScheme(word: string): string | undefined {
  const [, host = '', port = '', path = ''] =
    /^(localhost|\[[\da-f:]+\]|(?:[\w-]+\.)+(?:\d+|[a-z]{2,}))(:\d+)?(\/\S*)?$/i.exec(word) ?? []
  const isLocal = /^(localhost|\[::1\]|127(\.\d+){3})$/i.test(host)
  const isRemote = host !== '' && (port !== '' || (path !== '' && !/\.\w+$/.test(path)))
  const url = `${isLocal ? 'http' : 'https'}://${host}${port}${path}`
  return (isLocal || isRemote) && URL.canParse(url) ? url : undefined
}

export const address: SourceKind<{ readonly url: string }> = {
  kind: 'address',

  async detect(words, { directory, environment }) {
    const word = loneWord(words) ?? ''
    if (/^https?:\/\/\S+$/i.test(word)) return { url: word }
    const url = withScheme(word)
    const isOther = url === undefined || fileStatus(resolve(directory, word)) || findOnPath(word, environment)
    return isOther ? null : { url }
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
