import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import { faultsAt, quoted, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const parameterDescription: ToolRule = {
  scope: 'tool',
  id: 'parameter-description',
  title: 'A parameter has a description',
  severity: 'info',
  sources: { openai: documents.openaiFunction, anthropic: documents.anthropicTool },
  check: ({ nodes }) =>
    faultsAt(
      nodes.filter(({ parent, keyword, schema }) => {
        if (parent === undefined || parent.parent !== undefined || keyword !== 'properties') return false
        // A referenced schema has its description where it is defined.
        return !isFields(schema) || !(own(schema, 'description') || own(schema, '$ref'))
      }),
      node => ({
        path: pointerOf(node),
        message: `the parameter ${quoted(node.name ?? '')} has no description`,
        remedy: 'Say what it means, with an example of a value.',
      }),
    ),
}
