/** The findings of the portability check. */

/** The clients that read tool definitions: MCP itself, hosts of MCP servers, and the APIs of models. */
export const lintClients = [
  ...(['mcp', 'vscode', 'claude-code', 'claude-directory', 'chatgpt'] as const),
  ...(['openai', 'openai-strict', 'anthropic', 'gemini', 'aichat'] as const),
] as const

export type LintClient = (typeof lintClients)[number]

export const defaultLintClients: readonly LintClient[] = ['mcp']

/** The clients' names in messages. */
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
 * `error`: the client refuses the tool, often the whole request with it · `warning`: the client changes or ignores a
 * part, or some of its versions refuse it · `info`: good to know, nothing breaks.
 */
export type LintSeverity = 'error' | 'warning' | 'info'

/** Worst first. */
export const lintSeverities: readonly LintSeverity[] = ['error', 'warning', 'info']

/** A fault that a rule's check returns for one location. */
export interface Fault {
  /** JSON Pointer from the tool's own fields: `/name`, `/inputSchema/properties/role`. */
  readonly path: string
  readonly message: string
  readonly remedy: string
}

export interface LintFinding extends Fault {
  readonly rule: string
  readonly severity: LintSeverity
  /** The requested clients that the rule concerns. */
  readonly clients: readonly LintClient[]
  /** Ref and name of the tool; absent if the finding is about the whole catalog. */
  readonly ref?: string
  readonly name?: string
}
