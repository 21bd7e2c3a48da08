import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, type ToolRule } from '../rule.ts'
import { isObjectSchema, pointerOf } from '../schema-nodes.ts'

export const strictClosed: ToolRule = {
  scope: 'tool',
  id: 'strict-closed',
  title: 'Every object says additionalProperties: false',
  severity: 'error',
  sources: { 'openai-strict': documents.openaiStrict },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(
        ({ schema }) =>
          isFields(schema) && isObjectSchema(schema) && own(schema, 'additionalProperties') !== false,
      ),
      node => ({
        path: pointerOf(node),
        message: 'an object without additionalProperties: false',
        remedy: 'Add "additionalProperties": false. A map of free keys cannot be said in strict mode.',
      }),
    ),
}
