/** Source kind: an MCP server of either era, a program over stdio or a URL over Streamable HTTP. */

import type { McpServerConfig } from '../sources/mcp-server-config.ts'
import type { SourceKind } from '../sources/source.ts'

/** This prefix marks a program as an MCP server: `mcp:npx -y some-server`. */
const mcpPrefix = 'mcp:'

export const mcpServer: SourceKind<McpServerConfig> = {
  kind: 'mcp-server',

  /** Only words with the prefix: a server cannot be distinguished from another program without starting it. */
  async detect(words) {
    const [first = '', ...rest] = words
    if (!first.startsWith(mcpPrefix)) return null
    const word = first.slice(mcpPrefix.length)
    const command = word === '' ? rest : [word, ...rest]
    if (/^https?:\/\//i.test(word)) return { url: word }
    return command.length === 0 ? null : { command, inherits: 'everything' }
  },

  async open(config, settings, context) {
    const { openAddress, openProcess } = await import('./open-server.ts')
    return 'url' in config ? openAddress(config, settings, context) : openProcess(config, settings, context)
  },
}
