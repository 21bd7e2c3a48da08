/** Keywords that no validator reads: title, description, defaults, examples, the dialect, unknown ones. */
import { own } from '../../json/json.ts'
import { definitionKeywords, textKeywords, validationKeywords } from '../../json-schema/keywords.ts'
import { addedText } from '../text/text-change.ts'
import { changed, type Finding, inWords, type NodePair, type SchemaRule, sides } from './schema-rule.ts'

export const notes: SchemaRule = {
  ids: {
    'default-changed': 'A default came, went or changed.',
    'deprecated-changed': 'A part was marked deprecated, or no longer is.',
    'generator-dialect': 'The schema names another dialect in `$schema`.',
    'note-changed': 'A keyword that no validator reads changed.',
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
  const how = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed'
  const words =
    how === 'changed' ? `${inWords(before)} → ${inWords(after)}` : inWords(how === 'added' ? after : before)
  const shown = { edits: [], ...sides(before, after) }
  if (keyword === '$schema')
    return {
      rule: 'generator-dialect',
      message: `$schema ${dialect(before)} → ${dialect(after)}`,
      noise: true,
      ...shown,
    }
  const message = `${keyword} ${how}: ${words}`
  if (keyword === 'default') return { rule: 'default-changed', message, ...shown }
  if (keyword === 'deprecated') return { rule: 'deprecated-changed', message, ...shown }
  return {
    rule: 'note-changed',
    message,
    ...shown,
    text: { before: addedText(before), after: addedText(after) },
  }
}

/** `http://json-schema.org/draft-07/schema#` → `draft-07`. */
function dialect(value: unknown): string {
  if (value === undefined) return 'absent'
  return /\b(draft-\d\d|20\d\d-\d\d)\b/.exec(String(value))?.[1] ?? inWords(value)
}

/** Words that a model reads. */
export const partText: SchemaRule = {
  ids: {
    'part-title-changed': 'The title of a part of a schema changed.',
    'part-description-changed': 'The description of a part of a schema changed.',
  },
  find({ before, after }) {
    return [...textKeywords].flatMap((keyword): Finding[] => {
      const [valueBefore, valueAfter] = [textOf(own(before, keyword)), textOf(own(after, keyword))]
      if (valueBefore === valueAfter) return []
      const how = valueBefore === undefined ? 'added' : valueAfter === undefined ? 'removed' : 'changed'
      return [
        {
          rule: `part-${keyword}-changed`,
          message: `${keyword} ${how}`,
          edits: [],
          ...sides(valueBefore, valueAfter),
          text: { before: valueBefore ?? '', after: valueAfter ?? '' },
        },
      ]
    })
  },
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
