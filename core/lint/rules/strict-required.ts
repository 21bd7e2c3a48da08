import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, quoted, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const strictRequired: ToolRule = {
  scope: 'tool',
  id: 'strict-required',
  title: 'Every property is required',
  severity: 'error',
  sources: { 'openai-strict': documents.openaiStrict },
  check: ({ nodes }) => {
    const required = new Map<unknown, Set<unknown>>()
    const requiredBy = (schema: unknown) => {
      const known = required.get(schema)
      if (known) return known
      const list = isFields(schema) ? own(schema, 'required') : undefined
      const set = new Set<unknown>(Array.isArray(list) ? list : [])
      required.set(schema, set)
      return set
    }
    return faultsAt(
      nodes.filter(
        ({ parent, keyword, name }) =>
          keyword === 'properties' && parent !== undefined && !requiredBy(parent.schema).has(name),
      ),
      node => ({
        path: pointerOf(node),
        message: `the property ${quoted(node.name ?? '')} is optional`,
        remedy: 'Make it required and let it be null: "type": ["string", "null"].',
      }),
    )
  },
}
