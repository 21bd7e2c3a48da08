/** What a portability check says: which client refuses or alters a tool, where, why and what to do. */

/** Who reads tool definitions: MCP's own rules, hosts of MCP servers, and the APIs of models. */
export const lintClients = [
  ...(['mcp', 'vscode', 'claude-code', 'claude-directory', 'chatgpt'] as const),
  ...(['openai', 'openai-strict', 'anthropic', 'gemini', 'aichat'] as const),
] as const

export type LintClient = (typeof lintClients)[number]

/** Those that are checked by default. */
export const defaultLintClients: readonly LintClient[] = ['mcp']

/** For people. */
export const clientTitles: Readonly<Record<LintClient, string>> = {
  mcp: 'MCP',
  vscode: 'VS Code',
  'claude-code': 'Claude Code',
  'claude-directory': 'Claude’s connectors directory',
  chatgpt: 'Apps for ChatGPT',
  openai: 'OpenAI (Chat Completions and Responses)',
  'openai-strict': 'OpenAI strict mode',
  anthropic: 'Anthropic (Messages)',
  gemini: 'Gemini (FunctionDeclaration.parameters)',
  aichat: 'AIChat (functions.json)',
}

/**
 * `error`: the client refuses the tool, often the whole request with it · `warning`: the client alters or ignores a
 * part, or some of its versions refuse it · `info`: worth knowing, nothing breaks.
 */
export type LintSeverity = 'error' | 'warning' | 'info'

/** The worst first. */
export const lintSeverities: readonly LintSeverity[] = ['error', 'warning', 'info']

/** What a rule's check returns for one location. */
export interface Fault {
  /** JSON Pointer from the tool's own fields: `/name`, `/inputSchema/properties/role`. */
  readonly path: string
  readonly message: string
  readonly remedy: string
}

export interface LintFinding extends Fault {
  /** Id of the rule that found it. */
  readonly rule: string
  readonly severity: LintSeverity
  /** The clients that were asked about and that the rule concerns. */
  readonly clients: readonly LintClient[]
  /** Ref and name of the tool; absent where the finding is about the catalog as a whole. */
  readonly ref?: string
  readonly name?: string
}
