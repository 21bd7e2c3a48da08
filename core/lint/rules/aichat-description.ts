import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

/** `description: String` without a default: one entry without it, and the whole file is refused. */
export const aichatDescription: ToolRule = {
  scope: 'tool',
  id: 'aichat-description',
  title: 'Every declaration has a description',
  severity: 'error',
  sources: { aichat: documents.aichatFunction },
  check: ({ tool }) =>
    tool.description !== undefined
      ? []
      : [
          {
            path: '/description',
            message: 'no description: AIChat refuses the whole functions.json',
            remedy: 'Add one; an empty text is taken, a useful one is better.',
          },
        ],
}
