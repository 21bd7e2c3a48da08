/** Title and description of a part of a schema: words that a model reads. */
import { own } from '../../json/json.ts'
import { textKeywords } from '../../json-schema/keywords.ts'
import { type Finding, type SchemaRule, sides } from './schema-rule.ts'

export const partText: SchemaRule = {
  ids: {
    'part-title-changed': 'The title of a part of a schema changed.',
    'part-description-changed': 'The description of a part of a schema changed.',
  },
  find({ before, after }) {
    return [...textKeywords].flatMap((keyword): Finding[] => {
      const [old, young] = [textOf(own(before, keyword)), textOf(own(after, keyword))]
      if (old === young) return []
      const how = old === undefined ? 'added' : young === undefined ? 'removed' : 'changed'
      return [
        {
          rule: `part-${keyword}-changed`,
          message: `${keyword} ${how}`,
          edits: [],
          ...sides(old, young),
          text: { before: old ?? '', after: young ?? '' },
        },
      ]
    })
  },
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
