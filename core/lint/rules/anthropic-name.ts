import { documents } from '../documents.ts'
import { quoted, type ToolRule } from '../rule.ts'

const legal = /^[a-zA-Z0-9_-]{1,128}$/

/** The documentation says 64; the API checks against 128. What lies between is `anthropic-name-length`. */
export const anthropicName: ToolRule = {
  scope: 'tool',
  id: 'anthropic-name',
  title: 'A name has 1 to 128 letters, digits, underscores and dashes',
  severity: 'error',
  sources: { anthropic: documents.anthropicName },
  check: ({ tool }) =>
    legal.test(tool.name)
      ? []
      : [
          {
            path: '/name',
            message: `the name ${quoted(tool.name)} does not match ^[a-zA-Z0-9_-]{1,128}$`,
            remedy: 'Rename it, or send it under a legal name as `toolscope prompt --format anthropic` does.',
          },
        ],
}
