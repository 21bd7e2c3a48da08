/** Compares the items of an array, if other keywords describe them than before. */
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
  ids: { 'items-changed': 'The schema of a list’s items changed.' },
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

/** Whether both sides have the same keywords with values of the same kind; the walk then compares item by item. */
export function sameForm({ before, after }: NodePair): boolean {
  return keywords.every(keyword => {
    const [left, right] = [own(before, keyword), own(after, keyword)]
    if (Array.isArray(left)) return Array.isArray(right) && left.length === right.length
    return (
      isObject(left) === isObject(right) && typeof left === typeof right && (isObject(left) || left === right)
    )
  })
}
