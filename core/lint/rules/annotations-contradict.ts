import { documents } from '../documents.ts'
import type { ToolRule } from '../rule.ts'

/** `destructiveHint` means something only where `readOnlyHint` is false. */
export const annotationsContradict: ToolRule = {
  scope: 'tool',
  id: 'annotations-contradict',
  title: 'A read-only tool is not destructive',
  severity: 'warning',
  sources: { mcp: documents.mcpAnnotations },
  check: ({ tool: { annotations } }) =>
    annotations?.readOnlyHint === true && annotations.destructiveHint === true
      ? [
          {
            path: '/annotations',
            message: 'readOnlyHint and destructiveHint are both true: clients read only the first',
            remedy: 'Set readOnlyHint to false where the tool changes anything.',
          },
        ]
      : [],
}
