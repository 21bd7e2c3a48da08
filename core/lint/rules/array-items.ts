import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const arrayItems: ToolRule = {
  scope: 'tool',
  id: 'array-items',
  title: 'An array says what its items are',
  severity: 'error',
  sources: { openai: documents.openaiItems },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(({ schema }) => {
        if (!isFields(schema)) return false
        const type = own(schema, 'type')
        const isArray = type === 'array' || (Array.isArray(type) && type.includes('array'))
        return isArray && !Object.hasOwn(schema, 'items')
      }),
      node => ({
        path: pointerOf(node),
        message: 'an array without items: the request is refused ("array schema missing items")',
        remedy: 'Add items, at least {"type": "string"}, or {} where anything goes.',
      }),
    ),
}
