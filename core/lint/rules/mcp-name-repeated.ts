import { documents } from '../documents.ts'
import { quoted, type ToolRule } from '../rule.ts'

export const mcpNameRepeated: ToolRule = {
  scope: 'tool',
  id: 'mcp-name-repeated',
  title: 'Names should be unique within a server',
  severity: 'warning',
  sources: { mcp: documents.mcpToolNames },
  check: ({ tool }, context) =>
    context.earlierInSource(tool) === 0
      ? []
      : [
          {
            path: '/name',
            message: `${quoted(tool.name)} stands in this source's list more than once`,
            remedy: 'Give each tool a name of its own; a call by name reaches only one of them.',
          },
        ],
}
