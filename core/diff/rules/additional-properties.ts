/** Compares which properties an object may have besides the listed ones. */
import { isObject, own } from '../../json/json.ts'
import { changed, inWords, keywordEdit, type SchemaRule, sides } from './schema-rule.ts'

export const additionalProperties: SchemaRule = {
  ids: {
    'additional-properties-closed': 'Undeclared properties are no longer accepted.',
    'additional-properties-opened': 'Undeclared properties are now accepted.',
    'additional-properties-changed': 'The schema of undeclared properties changed.',
  },
  find(pair) {
    if (!changed(pair, 'additionalProperties')) return []
    const before = own(pair.before, 'additionalProperties')
    const after = own(pair.after, 'additionalProperties')
    // If both are schemas, the walk compares them.
    if (isObject(before) && isObject(after)) return []
    const flip = (isOpen(before) || before === false) && (isOpen(after) || after === false)
    // Absent, true and {} mean the same.
    const isSpelling = flip && isOpen(before) && isOpen(after)
    const rule = !flip || isSpelling ? 'changed' : after === false ? 'closed' : 'opened'
    const meaning = isSpelling ? ', no effective change' : ''
    const words =
      rule === 'changed' ? '' : `undeclared fields are ${rule === 'closed' ? 'refused' : 'accepted'} now: `
    return [
      {
        rule: `additional-properties-${rule}`,
        message: `${words}additionalProperties ${word(before)} → ${word(after)}${meaning}`,
        ...(words === '' ? {} : { brief: words.replace(': ', '') }),
        edits: [keywordEdit(pair, 'additionalProperties')],
        ...(flip ? { noise: true, before: word(before), after: word(after) } : sides(before, after)),
      },
    ]
  },
}

function isOpen(value: unknown): boolean {
  return (
    value === undefined ||
    value === true ||
    (typeof value === 'object' && value !== null && Object.keys(value).length === 0)
  )
}

function word(value: unknown): string {
  return value === undefined ? 'absent' : inWords(value)
}
