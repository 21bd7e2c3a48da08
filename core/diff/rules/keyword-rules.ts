/** Keywords that stand for themselves: one change, one finding, and the containment engine says what it means. */
import { changed, inWords, keywordEdit, pick, type SchemaRule, sides } from './schema-rule.ts'

/** A rule for keywords that only have a meaning together. */
function keywordGroupRule(id: string, description: string, keywords: readonly string[]): SchemaRule {
  return {
    ids: { [id]: description },
    find(pair) {
      const different = keywords.filter(keyword => changed(pair, keyword))
      if (different.length === 0) return []
      const [only] = keywords.length === 1 ? keywords : []
      const before = only === undefined ? pick(pair.before, keywords) : pair.before[only]
      const after = only === undefined ? pick(pair.after, keywords) : pair.after[only]
      const how = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
      const words =
        how === 'changed' && only !== undefined
          ? `: ${inWords(before)} → ${inWords(after)}`
          : only === undefined
            ? ''
            : `: ${inWords(how === 'added' ? after : before)}`
      return [
        {
          rule: id,
          message: `${different.join(', ')} ${how}${words}`,
          edits: different.map(keyword => keywordEdit(pair, keyword)),
          ...sides(before, after),
        },
      ]
    },
  }
}

export const pattern = keywordGroupRule('pattern-changed', 'The pattern of a text changed.', ['pattern'])
export const format = keywordGroupRule(
  'format-changed',
  'The format of a text changed; an annotation by default.',
  ['format'],
)
export const multipleOf = keywordGroupRule('multiple-of-changed', 'The step of a number changed.', [
  'multipleOf',
])
export const uniqueItems = keywordGroupRule(
  'unique-items-changed',
  'Items must be unique, or need no longer be.',
  ['uniqueItems'],
)
export const contains = keywordGroupRule('contains-changed', 'What a list must contain changed.', [
  'contains',
  'minContains',
  'maxContains',
])
export const condition = keywordGroupRule('condition-changed', 'An if/then/else changed.', [
  'if',
  'then',
  'else',
])
export const negation = keywordGroupRule('not-changed', 'What is excluded changed.', ['not'])
export const names = keywordGroupRule(
  'property-names-changed',
  'The names that properties may have changed.',
  ['propertyNames'],
)
export const patterned = keywordGroupRule('pattern-properties-changed', 'Properties by pattern changed.', [
  'patternProperties',
])
export const dependent = keywordGroupRule(
  'dependent-changed',
  'What one property demands of others changed.',
  ['dependentRequired', 'dependentSchemas', 'dependencies'],
)
export const unevaluated = keywordGroupRule(
  'unevaluated-changed',
  'What is left over is treated differently.',
  ['unevaluatedProperties', 'unevaluatedItems'],
)
