import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

/** Documented as ^[a-zA-Z0-9_-]{1,64}$; references to tools in results are held to it. */
export const anthropicNameLength: ToolRule = {
  scope: 'tool',
  id: 'anthropic-name-length',
  title: 'A name is no longer than the documented 64 characters',
  severity: 'warning',
  sources: { anthropic: documents.anthropicTool },
  check: ({ tool }) =>
    tool.name.length > 64 && tool.name.length <= 128
      ? [
          {
            path: '/name',
            message: `the name has ${tool.name.length} characters; 64 are documented`,
            remedy: 'Shorten the name.',
          },
        ]
      : [],
}
