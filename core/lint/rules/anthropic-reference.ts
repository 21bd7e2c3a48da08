import { isFields } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

/** The Messages API takes references; custom tools of managed agents refuse them. */
export const anthropicReference: ToolRule = {
  scope: 'tool',
  id: 'anthropic-reference',
  title: 'Custom tools of managed agents take no $ref',
  severity: 'info',
  sources: { anthropic: documents.anthropicCustomTools },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(({ schema }) => isFields(schema) && Object.hasOwn(schema, '$ref')),
      node => ({
        path: `${pointerOf(node)}/$ref`,
        message: 'a reference: the Messages API takes it, a managed agent refuses the tool',
        remedy: 'Write the schema out where it is used.',
      }),
    ),
}
