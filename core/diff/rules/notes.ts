/** Keywords that validators ignore: title, description, defaults, examples, the dialect, unknown ones. */
import { own } from '../../json/json.ts'
import { definitionKeywords, textKeywords, validationKeywords } from '../../schema/keywords.ts'
import { addedText } from '../../text/cues.ts'
import {
  changed,
  changedTexts,
  changeInWords,
  type Finding,
  howChanged,
  inWords,
  type NodePair,
  type SchemaRule,
  sides,
} from './schema-rule.ts'

export const notes: SchemaRule = {
  ids: {
    'default-added': 'A default value was added.',
    'default-changed': 'A default value was removed or changed.',
    'deprecated-changed': 'A part was marked as deprecated, or is no longer deprecated.',
    'generator-dialect': 'The schema declares another dialect in `$schema`.',
    'note-changed': 'An annotation changed; validators ignore it.',
  },
  find(pair) {
    const keywords = new Set([...Object.keys(pair.before), ...Object.keys(pair.after)])
    return [...keywords]
      .filter(isNote)
      .flatMap(keyword => (changed(pair, keyword) ? [note(pair, keyword)] : []))
  },
}

function isNote(keyword: string): boolean {
  return !validationKeywords.has(keyword) && !definitionKeywords.has(keyword) && !textKeywords.has(keyword)
}

function note(pair: NodePair, keyword: string): Finding {
  const before = own(pair.before, keyword)
  const after = own(pair.after, keyword)
  const shared = { edits: [], ...sides(before, after) }
  if (keyword === '$schema') {
    const message = `$schema ${dialect(before)} → ${dialect(after)}`
    return { rule: 'generator-dialect', message, noise: true, ...shared }
  }
  // The `nullable` of OpenAPI 3.0 has been converted to a type before this point.
  const remark = keyword === 'nullable' ? ' (JSON Schema ignores it: only the type can allow null)' : ''
  const message = `${keyword} ${howChanged(before, after)}: ${changeInWords(before, after)}${remark}`
  if (keyword === 'default')
    return { rule: before === undefined ? 'default-added' : 'default-changed', message, ...shared }
  if (keyword === 'deprecated') return { rule: 'deprecated-changed', message, ...shared }
  const text = { before: addedText(before), after: addedText(after) }
  return { rule: 'note-changed', message, ...shared, text }
}

/** `http://json-schema.org/draft-07/schema#` → `draft-07`. */
function dialect(value: unknown): string {
  if (value === undefined) return 'absent'
  return /\b(draft-\d\d|20\d\d-\d\d)\b/.exec(String(value))?.[1] ?? inWords(value)
}

/** Texts that a model reads. */
export const partText: SchemaRule = {
  ids: {
    'part-title-changed': 'The title of a part of a schema changed.',
    'part-description-changed': 'The description of a part of a schema changed.',
  },
  find({ before, after }) {
    return changedTexts(textKeywords, before, after).map(({ field, ...finding }) => ({
      rule: `part-${field}-changed`,
      edits: [],
      ...finding,
    }))
  },
}
