import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

/** Measured on 1,154 tools of published servers: one in a hundred is longer. */
const LIMIT = 20_000

export const schemaSize: ToolRule = {
  scope: 'tool',
  id: 'schema-size',
  title: 'An input schema is not longer than 20,000 characters',
  severity: 'info',
  sources: {
    openai: documents.openaiTokens,
    anthropic: documents.anthropicTool,
    gemini: documents.geminiFunction,
    mcp: documents.mcpTools,
  },
  check: ({ tool, truncated }) => {
    const length = jsonLength(tool.inputSchema)
    if (length <= LIMIT && !truncated) return []
    const size = Number.isFinite(length) ? `${length} characters` : 'a depth that cannot be written out'
    return [
      {
        path: '/inputSchema',
        message: `the input schema has ${size}: every request pays for it in tokens`,
        remedy: 'Split the tool, or describe rare parts in words and check them in the tool.',
      },
    ]
  },
}

function jsonLength(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0
  } catch {
    // Nested beyond the stack.
    return Number.POSITIVE_INFINITY
  }
}
