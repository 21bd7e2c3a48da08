/** The types that a location allows. */
import { own, type UnknownObject } from '../../json/json.ts'
import { type Finding, keywordEdit, type NodePair, type SchemaRule, sides, wholeEdit } from './schema-rule.ts'
import { readListedValues } from './values.ts'

export const type: SchemaRule = {
  ids: {
    'type-changed': 'The type changed.',
    'type-widened': 'More types are accepted.',
    'type-narrowed': 'Fewer types are accepted.',
  },
  find(pair) {
    // A list of values says more than the type next to it.
    if (readListedValues(pair.before) && readListedValues(pair.after)) return []
    const before = listAllowedTypes(pair.before)
    const after = listAllowedTypes(pair.after)
    const lost = before.filter(name => !covers(after, name))
    const gained = after.filter(name => !covers(before, name))
    if (lost.length === 0 && gained.length === 0) return []
    const bothSides = sides(own(pair.before, 'type'), own(pair.after, 'type'))
    const change = `${inWords(pair.before)} → ${inWords(pair.after)}`
    if (lost.length === before.length) return [wholeFinding(pair, `type changed: ${change}`)]
    const [rule, word] =
      lost.length === 0
        ? ['type-widened', 'widened']
        : gained.length === 0
          ? ['type-narrowed', 'narrowed']
          : ['type-changed', 'changed']
    return [{ rule, message: `type ${word}: ${change}`, edits: [keywordEdit(pair, 'type')], ...bothSides }]
  },
}

/** The types have nothing in common, so the bounds of both types belong to this one change. */
function wholeFinding(pair: NodePair, message: string): Finding {
  return {
    rule: 'type-changed',
    message,
    edits: [wholeEdit(pair)],
    whole: true,
    before: pair.before,
    after: pair.after,
  }
}

const allTypes = ['null', 'boolean', 'number', 'string', 'array', 'object']

function listAllowedTypes(node: UnknownObject): readonly string[] {
  const type = own(node, 'type')
  if (typeof type === 'string') return [type]
  return Array.isArray(type) ? type.filter(name => typeof name === 'string') : allTypes
}

function covers(types: readonly string[], name: string): boolean {
  return types.includes(name) || (name === 'integer' && types.includes('number'))
}

function inWords(node: UnknownObject): string {
  return own(node, 'type') === undefined ? 'any' : listAllowedTypes(node).join(' or ')
}
