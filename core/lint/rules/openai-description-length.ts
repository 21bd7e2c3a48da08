import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

/** Lifted for newer models of the API itself; deployments and gateways still hold to it. */
export const openaiDescriptionLength: ToolRule = {
  scope: 'tool',
  id: 'openai-description-length',
  title: 'A description has at most 1,024 characters',
  severity: 'warning',
  sources: { openai: documents.openaiDescription },
  check: ({ tool: { description = '' } }) =>
    description.length <= 1024
      ? []
      : [
          {
            path: '/description',
            message: `the description has ${description.length} characters; older models and many deployments refuse over 1,024`,
            remedy: 'Put what decides the choice of the tool first, and move the rest to the parameters.',
          },
        ],
}
