/** Who reads tool definitions, and by which door: the rules speak of exactly these. */

/**
 * `openai-strict` is OpenAI with `strict: true` on every tool. A tool without strict mode is a good tool, so it is
 * checked only when asked for by name.
 */
export const lintClients = ['openai', 'openai-strict', 'anthropic', 'gemini', 'aichat', 'mcp'] as const

export type LintClient = (typeof lintClients)[number]

/** Those that are checked when nobody names any. */
export const defaultLintClients: readonly LintClient[] = lintClients.filter(
  client => client !== 'openai-strict',
)

/** What stands behind each word, for people. */
export const clientTitles: Readonly<Record<LintClient, string>> = {
  openai: 'OpenAI (Chat Completions and Responses)',
  'openai-strict': 'OpenAI strict mode',
  anthropic: 'Anthropic (Messages)',
  gemini: 'Gemini (FunctionDeclaration.parameters)',
  aichat: 'AIChat (functions.json)',
  mcp: 'MCP clients',
}
