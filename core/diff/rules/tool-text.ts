/** A tool's title and description. */
import { sides } from './schema-rule.ts'
import type { ToolRule } from './tool-rule.ts'

export const toolText: ToolRule = {
  ids: {
    'title-changed': 'The title of a tool changed.',
    'description-changed': 'The description of a tool changed.',
  },
  find(before, after) {
    return (['title', 'description'] as const).flatMap(field => {
      const [old, young] = [before[field], after[field]]
      if (old === young) return []
      const how = old === undefined ? 'added' : young === undefined ? 'removed' : 'changed'
      return [
        {
          rule: `${field}-changed`,
          direction: 'text' as const,
          path: field,
          message: `${field} ${how}`,
          ...sides(old, young),
          text: { before: old ?? '', after: young ?? '' },
        },
      ]
    })
  },
}
