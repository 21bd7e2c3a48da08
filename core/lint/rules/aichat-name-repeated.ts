import { documents } from '../documents.ts'
import { quoted, type ToolRule } from '../rule.ts'

export const aichatNameRepeated: ToolRule = {
  scope: 'tool',
  id: 'aichat-name-repeated',
  title: 'Of two declarations with the same name the first one is used',
  severity: 'warning',
  sources: { aichat: documents.aichatFunction },
  check: ({ tool }, context) =>
    context.earlier(tool) === 0
      ? []
      : [
          {
            path: '/name',
            message: `${quoted(tool.name)} is declared before: this one is sent to the model and never looked up`,
            remedy: 'Rename one of the two.',
          },
        ],
}
