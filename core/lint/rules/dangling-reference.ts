import { documents } from '../documents.ts'
import { faultsAt, quoted, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

export const danglingReference: ToolRule = {
  scope: 'tool',
  id: 'dangling-reference',
  title: 'A reference inside a schema leads to a schema',
  severity: 'error',
  sources: {
    openai: documents.jsonSchemaReference,
    anthropic: documents.jsonSchemaReference,
    gemini: documents.jsonSchemaReference,
    mcp: documents.jsonSchemaReference,
  },
  check: ({ references }) =>
    faultsAt(
      references.filter(({ ref, target }) => target === undefined && ref.startsWith('#')),
      ({ node, ref }) => ({
        path: `${pointerOf(node)}/$ref`,
        message: `${quoted(ref)} leads nowhere`,
        remedy: 'Add the definition, or mend the path.',
      }),
    ),
}
