/** What a portability check says: which client refuses or alters a tool, where, why and what to do. */

/**
 * Who reads tool definitions. `openai-strict` is OpenAI with `strict: true` on every tool. A tool without strict mode
 * is a good tool, so it is checked only when asked for by name.
 */
export const lintClients = ['openai', 'openai-strict', 'anthropic', 'gemini', 'aichat', 'mcp'] as const

export type LintClient = (typeof lintClients)[number]

/** Those that are checked by default. */
export const defaultLintClients: readonly LintClient[] = lintClients.filter(
  client => client !== 'openai-strict',
)

/** For people. */
export const clientTitles: Readonly<Record<LintClient, string>> = {
  openai: 'OpenAI (Chat Completions and Responses)',
  'openai-strict': 'OpenAI strict mode',
  anthropic: 'Anthropic (Messages)',
  gemini: 'Gemini (FunctionDeclaration.parameters)',
  aichat: 'AIChat (functions.json)',
  mcp: 'MCP clients',
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
