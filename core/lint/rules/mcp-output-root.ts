import { isFields, own } from '../../json/fields.ts'
import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

/** Revision 2026-07-28 takes any schema; clients of the revisions before it refuse the tool. */
export const mcpOutputRoot: ToolRule = {
  scope: 'tool',
  id: 'mcp-output-root',
  title: 'The root of an output schema says type: "object" for clients before revision 2026-07-28',
  severity: 'warning',
  sources: { mcp: documents.mcpJsonSchema },
  check: ({ tool: { outputSchema } }) =>
    outputSchema === undefined || (isFields(outputSchema) && own(outputSchema, 'type') === 'object')
      ? []
      : [
          {
            path: '/outputSchema',
            message:
              'the root of the output schema is no object: clients up to revision 2025-11-25 refuse it',
            remedy: 'Wrap the result: {"type": "object", "properties": {"result": …}}.',
          },
        ],
}
