import { documents } from '../documents.ts'
import { quoted, type ToolRule } from '../rule.ts'

const legal = /^[a-zA-Z0-9_-]{1,64}$/

/** AIChat hands its names on to the model's API unchanged, so the same pattern binds it. */
export const openaiName: ToolRule = {
  scope: 'tool',
  id: 'openai-name',
  title: 'A name has 1 to 64 letters, digits, underscores and dashes',
  severity: 'error',
  sources: { openai: documents.openaiFunction, aichat: documents.openaiFunction },
  check: ({ tool }) =>
    legal.test(tool.name)
      ? []
      : [
          {
            path: '/name',
            message: `the name ${quoted(tool.name)} does not match ^[a-zA-Z0-9_-]{1,64}$`,
            remedy: 'Rename it, or send it under a legal name as `toolscope prompt --format openai` does.',
          },
        ],
}
