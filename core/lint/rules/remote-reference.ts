import { documents } from '../documents.ts'
import { faultsAt, quoted, type ToolRule } from '../rule.ts'
import { pointerOf } from '../schema-nodes.ts'

/** No client may fetch it: the rest of the schema is then unknown, and some SDKs refuse the tool. */
export const remoteReference: ToolRule = {
  scope: 'tool',
  id: 'remote-reference',
  title: 'A schema refers to nothing outside of itself',
  severity: 'error',
  sources: { mcp: documents.mcpJsonSchema },
  check: ({ references }) =>
    faultsAt(
      references.filter(({ ref, target }) => target === undefined && !ref.startsWith('#')),
      ({ node, ref }) => ({
        path: `${pointerOf(node)}/$ref`,
        message: `${quoted(ref)} lies outside of the schema and is never fetched`,
        remedy: 'Put the schema under $defs and refer to it by #/$defs/….',
      }),
    ),
}
