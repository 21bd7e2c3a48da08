import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const geminiEnum: ToolRule = {
  scope: 'tool',
  id: 'gemini-enum',
  title: 'An enum is a list of strings, beside type: "string"',
  severity: 'warning',
  sources: { gemini: documents.geminiSchema },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(({ schema }) => {
        if (!isFields(schema)) return false
        const values = own(schema, 'enum')
        if (!Array.isArray(values)) return false
        return own(schema, 'type') !== 'string' || values.some(value => typeof value !== 'string')
      }),
      node => ({
        path: `${pointerOf(node)}/enum`,
        message: 'an enum that is not of strings, or that does not say type: "string"',
        remedy: 'Use strings and say "type": "string"; put numbers into the description.',
      }),
    ),
}
