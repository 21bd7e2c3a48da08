import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

export const inputRoot: ToolRule = {
  scope: 'tool',
  id: 'input-root',
  title: 'The root of an input schema says type: "object"',
  severity: 'error',
  sources: {
    openai: documents.openaiRoot,
    anthropic: documents.anthropicTool,
    gemini: documents.geminiRoot,
    mcp: documents.mcpTool,
  },
  check: ({ tool }) => {
    const type = isFields(tool.inputSchema) ? own(tool.inputSchema, 'type') : undefined
    if (type === 'object') return []
    const found = type === undefined ? 'has no type' : `has the type ${JSON.stringify(type).slice(0, 60)}`
    return [
      {
        path: '/inputSchema',
        message: `the root of the input schema ${found}`,
        remedy: 'Add "type": "object" at the root; put any other value inside a property.',
      },
    ]
  },
}
