/** Bounds of numbers, lengths and counts: a bound was added, moved or removed. */
import { own } from '../../json/json.ts'
import { isNoiseBound } from '../../schema/keywords.ts'
import {
  changed,
  changeInWords,
  type Finding,
  howChanged,
  keywordEdit,
  type NodePair,
  type SchemaRule,
  sides,
} from './schema-rule.ts'

/** Each bound keyword with the keyword for its alternative form, if there is one. */
const bounds: readonly (readonly [keyword: string, ...alternative: string[]])[] = [
  ['minimum', 'exclusiveMinimum'],
  ['maximum', 'exclusiveMaximum'],
  ...['minLength', 'maxLength', 'minItems', 'maxItems', 'minProperties', 'maxProperties'].map(
    keyword => [keyword] as const,
  ),
]

/** `minLength` → `min-length` */
const toKebabCase = (keyword: string) => keyword.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)

const ways = {
  added: 'was set',
  removed: 'was removed',
  raised: 'was raised',
  lowered: 'was lowered',
  changed: 'is written differently',
}

export const boundRule: SchemaRule = {
  ids: {
    ...Object.fromEntries(
      bounds.flatMap(([keyword]) =>
        Object.entries(ways).map(([way, words]) => [
          `${toKebabCase(keyword)}-${way}`,
          `\`${keyword}\` ${words}.`,
        ]),
      ),
    ),
    'generator-bounds':
      'The bounds of safe integers, which zod adds to every integer, were added or removed.',
  },
  find(pair) {
    const noise = generatorBounds(pair)
    const reported = new Set(noise.flatMap(finding => finding.edits.map(edit => edit.at[0])))
    return [...noise, ...bounds.flatMap(bound => (reported.has(bound[0]) ? [] : boundFindings(pair, bound)))]
  },
}

function boundFindings(pair: NodePair, keywords: (typeof bounds)[number]): Finding[] {
  const [keyword] = keywords
  const different = keywords.filter(one => changed(pair, one))
  if (different.length === 0) return []
  const before = readBound(pair.before, keywords)
  const after = readBound(pair.after, keywords)
  const isMove =
    typeof before === 'number' &&
    typeof after === 'number' &&
    before !== after &&
    !isOtherKeyword(pair, keywords)
  const how = !isMove ? howChanged(before, after) : after > before ? 'raised' : 'lowered'
  return [
    {
      rule: `${toKebabCase(keyword)}-${how}`,
      message: `${keyword} ${how}: ${changeInWords(before, after)}`,
      edits: different.map(one => keywordEdit(pair, one)),
      ...sides(before, after),
    },
  ]
}

/** The bound moved to the other keyword; only the containment engine can decide which one is stricter. */
function isOtherKeyword({ before, after }: NodePair, keywords: readonly string[]): boolean {
  const used = (node: NodePair['before']) =>
    keywords.filter(keyword => own(node, keyword) !== undefined).join()
  return used(before) !== used(after)
}

function readBound(node: NodePair['before'], keywords: readonly string[]): unknown {
  const values = keywords.map(keyword => own(node, keyword)).filter(value => value !== undefined)
  return values.find(value => typeof value === 'number') ?? values[0]
}

function generatorBounds(pair: NodePair): Finding[] {
  const keywords = ['minimum', 'maximum'].filter(keyword => {
    const before = own(pair.before, keyword)
    const after = own(pair.after, keyword)
    // Only for zod's integers: the same bound on a number refuses values that JSON carries exactly (1e20).
    const isInteger = (node: NodePair['before']) => own(node, 'type') === 'integer'
    return (
      (before === undefined && isNoiseBound(keyword, after) && isInteger(pair.after)) ||
      (after === undefined && isNoiseBound(keyword, before) && isInteger(pair.before))
    )
  })
  if (keywords.length === 0) return []
  const isAdded = keywords.some(keyword => own(pair.before, keyword) === undefined)
  return [
    {
      rule: 'generator-bounds',
      message: `bounds of safe integers ${isAdded ? 'added' : 'removed'} (±9007199254740991)`,
      edits: keywords.map(keyword => keywordEdit(pair, keyword)),
      noise: true,
      ...(isAdded ? { after: 'safe integers' } : { before: 'safe integers' }),
    },
  ]
}
