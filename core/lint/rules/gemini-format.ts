import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, quoted, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const geminiFormat: ToolRule = {
  scope: 'tool',
  id: 'gemini-format',
  title: 'The format of a string is enum or date-time',
  severity: 'warning',
  sources: { gemini: documents.geminiFormat },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(({ schema }) => {
        if (!isFields(schema) || own(schema, 'type') !== 'string') return false
        const format = own(schema, 'format')
        return typeof format === 'string' && format !== 'enum' && format !== 'date-time'
      }),
      node => ({
        path: `${pointerOf(node)}/format`,
        message: `the format ${quoted(isFields(node.schema) ? String(own(node.schema, 'format')) : '')} of a string is refused by the Gemini API`,
        remedy: 'Name the format in the description.',
      }),
    ),
}
