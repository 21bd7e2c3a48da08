/** What a list holds, where its items are described in another way than before. */
import { isObject, own } from '../../json/json.ts'
import {
  changed,
  type Finding,
  keywordEdit,
  type NodePair,
  pick,
  type SchemaRule,
  sides,
} from './schema-rule.ts'

const keywords = ['items', 'prefixItems', 'additionalItems']

export const items: SchemaRule = {
  ids: { 'items-changed': 'A list describes its items in another way.' },
  find(pair) {
    if (sameForm(pair)) return []
    const different = keywords.filter(keyword => changed(pair, keyword))
    if (different.length === 0) return []
    const found: Finding = {
      rule: 'items-changed',
      message: `${different.join(', ')} changed`,
      edits: different.map(keyword => keywordEdit(pair, keyword)),
      ...sides(pick(pair.before, keywords), pick(pair.after, keywords)),
    }
    return [found]
  },
}

/** The same keywords with values of the same kind on both sides: then the walk looks inside, item by item. */
export function sameForm({ before, after }: NodePair): boolean {
  return keywords.every(keyword => {
    const [left, right] = [own(before, keyword), own(after, keyword)]
    if (Array.isArray(left)) return Array.isArray(right) && left.length === right.length
    return (
      isObject(left) === isObject(right) && typeof left === typeof right && (isObject(left) || left === right)
    )
  })
}
