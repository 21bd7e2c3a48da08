import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

export const descriptionMissing: ToolRule = {
  scope: 'tool',
  id: 'description-missing',
  title: 'A tool has a description: it is what a model chooses by',
  severity: 'warning',
  sources: {
    openai: documents.openaiFunction,
    anthropic: documents.anthropicTool,
    gemini: documents.geminiFunction,
    mcp: documents.mcpTools,
  },
  check: ({ tool }) =>
    (tool.description ?? '').trim() !== ''
      ? []
      : [
          {
            path: '/description',
            message: 'no description: a model has the name alone to go by',
            remedy: 'Say in two or three sentences what it does, when to use it and what comes back.',
          },
        ],
}
