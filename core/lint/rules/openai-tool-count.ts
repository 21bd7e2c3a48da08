import { documents } from '../documents.ts'
import type { CatalogRule } from '../rule.ts'

const LIMIT = 128

export const openaiToolCount: CatalogRule = {
  scope: 'catalog',
  id: 'openai-tool-count',
  title: 'A request has at most 128 tools',
  severity: 'error',
  sources: { openai: documents.openaiFunction },
  check: ({ tools }) =>
    tools.length <= LIMIT
      ? []
      : [
          {
            path: '',
            message: `${tools.length} tools together: a request takes ${LIMIT}`,
            remedy: 'Choose tools for the task at hand, or serve the catalog as one scripted tool.',
          },
        ],
}
