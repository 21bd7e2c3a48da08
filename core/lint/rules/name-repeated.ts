import { documents } from '../documents.ts'
import { quoted, type ToolRule } from '../rule.ts'

/** The whole request is refused, over all the sources that a client put together. */
export const nameRepeated: ToolRule = {
  scope: 'tool',
  id: 'name-repeated',
  title: 'No two tools of a request have the same name',
  severity: 'error',
  sources: { anthropic: documents.anthropicUnique },
  check: ({ tool }, context) =>
    context.earlier(tool) === 0
      ? []
      : [
          {
            path: '/name',
            message: `another tool is called ${quoted(tool.name)} too: a request with both is refused`,
            remedy: 'Put the source before the name, or leave one of them out.',
          },
        ],
}
