/** Keywords with one finding for any change: the containment engine decides what the change means. */
import {
  changed,
  changeInWords,
  howChanged,
  keywordEdit,
  pick,
  type SchemaRule,
  sides,
} from './schema-rule.ts'

/** The id of the finding, its description, and keywords that only have a meaning together. */
const groups = {
  pattern: ['pattern-changed', 'The pattern of a text changed.', ['pattern']],
  format: ['format-changed', 'The format of a text changed; an annotation by default.', ['format']],
  multipleOf: ['multiple-of-changed', '`multipleOf` of a number changed.', ['multipleOf']],
  uniqueItems: ['unique-items-changed', 'Items must be unique now, or may repeat now.', ['uniqueItems']],
  contains: [
    'contains-changed',
    'The item that a list must contain changed.',
    ['contains', 'minContains', 'maxContains'],
  ],
  condition: ['condition-changed', 'An if/then/else changed.', ['if', 'then', 'else']],
  negation: ['not-changed', 'The keyword `not` changed.', ['not']],
  names: ['property-names-changed', 'The names that properties may have changed.', ['propertyNames']],
  patterned: [
    'pattern-properties-changed',
    'The schemas of properties that match a pattern changed.',
    ['patternProperties'],
  ],
  dependent: [
    'dependent-changed',
    'The properties that another property requires changed.',
    ['dependentRequired', 'dependentSchemas', 'dependencies'],
  ],
  unevaluated: [
    'unevaluated-changed',
    '`unevaluatedProperties` or `unevaluatedItems` changed.',
    ['unevaluatedProperties', 'unevaluatedItems'],
  ],
} as const satisfies Record<string, readonly [id: string, description: string, keywords: readonly string[]]>

export function buildKeywordDiffRule(group: keyof typeof groups): SchemaRule {
  const [id, description, keywords] = groups[group]
  return {
    ids: { [id]: description },
    find(pair) {
      const different = keywords.filter(keyword => changed(pair, keyword))
      if (different.length === 0) return []
      const [only] = keywords.length === 1 ? keywords : []
      const before = only === undefined ? pick(pair.before, keywords) : pair.before[only]
      const after = only === undefined ? pick(pair.after, keywords) : pair.after[only]
      const words = only === undefined ? '' : `: ${changeInWords(before, after)}`
      return [
        {
          rule: id,
          message: `${different.join(', ')} ${howChanged(before, after)}${words}`,
          edits: different.map(keyword => keywordEdit(pair, keyword)),
          ...sides(before, after),
        },
      ]
    },
  }
}
