/**
 * The clients that a server can be connected to, each with the shape and the place of its configuration. The keys are
 * those that server/sources/server-entry.ts reads; docs/connect.md lists the clients.
 */

/** How a client writes a variable; `none`: it replaces no variables. */
export type VariableSyntax = 'inputs' | 'env' | 'braces' | 'none'

export interface ConnectClient {
  /** As in server/recognise/client-files.ts. */
  readonly title: string
  readonly syntax: VariableSyntax
  /** The file of a project, relative to it; absent if the client has none. */
  readonly projectFile?: string
  /** The key of the servers in its file. */
  readonly key: 'mcpServers' | 'servers' | 'context_servers' | 'mcp_servers'
  /** Only letters, digits, `-` and `_` are allowed in the name of a server. */
  readonly hasPlainNames?: boolean
  /** Whether it takes `cwd`, a working directory. */
  readonly takesDirectory?: boolean
  readonly takesEnvFile?: boolean
  /** The key of an address; null: it only starts programs. */
  readonly addressKey: 'url' | 'httpUrl' | 'serverUrl' | null
  /** Whether an entry names its transport in `type`. */
  readonly namesType?: boolean
  /** A literal `$NAME` in a text is a variable too. */
  readonly replacesDollarNames?: boolean
}

export const connectClients = {
  // https://code.claude.com/docs/en/mcp
  'claude-code': {
    title: 'Claude Code',
    syntax: 'braces',
    projectFile: '.mcp.json',
    key: 'mcpServers',
    hasPlainNames: true,
    addressKey: 'url',
    namesType: true,
  },
  // https://modelcontextprotocol.io/docs/develop/connect-local-servers: remote servers are added in its settings.
  'claude-desktop': { title: 'Claude Desktop', syntax: 'none', key: 'mcpServers', addressKey: null },
  // https://cursor.com/docs/mcp
  cursor: {
    title: 'Cursor',
    syntax: 'env',
    projectFile: '.cursor/mcp.json',
    key: 'mcpServers',
    takesEnvFile: true,
    addressKey: 'url',
  },
  // https://code.visualstudio.com/docs/agents/reference/mcp-configuration
  vscode: {
    title: 'VS Code',
    syntax: 'inputs',
    projectFile: '.vscode/mcp.json',
    key: 'servers',
    takesDirectory: true,
    takesEnvFile: true,
    addressKey: 'url',
    namesType: true,
  },
  // https://developers.openai.com/codex/mcp
  codex: {
    title: 'Codex',
    syntax: 'none',
    projectFile: '.codex/config.toml',
    key: 'mcp_servers',
    hasPlainNames: true,
    takesDirectory: true,
    addressKey: 'url',
  },
  // https://geminicli.com/docs/tools/mcp-server: `url` is HTTP+SSE there, since 0.61 only with a type.
  gemini: {
    title: 'Gemini CLI',
    syntax: 'braces',
    projectFile: '.gemini/settings.json',
    key: 'mcpServers',
    takesDirectory: true,
    addressKey: 'httpUrl',
    replacesDollarNames: true,
  },
  // https://docs.windsurf.com/windsurf/cascade/mcp
  windsurf: { title: 'Windsurf', syntax: 'env', key: 'mcpServers', addressKey: 'serverUrl' },
  // https://zed.dev/docs/ai/mcp
  zed: {
    title: 'Zed',
    syntax: 'none',
    projectFile: '.zed/settings.json',
    key: 'context_servers',
    addressKey: 'url',
  },
  'mcp-json': {
    title: 'mcp.json',
    syntax: 'braces',
    projectFile: 'mcp.json',
    key: 'mcpServers',
    takesDirectory: true,
    addressKey: 'url',
    namesType: true,
  },
} as const satisfies Readonly<Record<string, ConnectClient>>

export type ConnectClientId = keyof typeof connectClients

export const connectClientIds = Object.keys(connectClients) as [ConnectClientId, ...ConnectClientId[]]
