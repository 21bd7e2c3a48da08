import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const geminiTypeList: ToolRule = {
  scope: 'tool',
  id: 'gemini-type-list',
  title: 'A type is one word, not a list',
  severity: 'warning',
  sources: { gemini: documents.geminiType },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(({ schema }) => isFields(schema) && Array.isArray(own(schema, 'type'))),
      node => ({
        path: `${pointerOf(node)}/type`,
        message: 'a list of types: parameters answers "Proto field is not repeating, cannot start list"',
        remedy: 'Use anyOf with one type each, or nullable: true beside the one type.',
      }),
    ),
}
