import type { ToolSummary } from '../../../core/api.ts'
import { Badge } from '../../ui/badge.tsx'

/** What a source says of its tool, in one or two small words. Hints from the source, not promises. */
export function ToolBadges({ tool }: { readonly tool: Pick<ToolSummary, 'annotations' | 'callable'> }) {
  const { annotations } = tool
  return (
    <>
      {annotations?.destructiveHint === true && annotations.readOnlyHint !== true && (
        <Badge tone="bad">destructive</Badge>
      )}
      {annotations?.readOnlyHint === true && <Badge>read-only</Badge>}
      {!tool.callable && <Badge>view only</Badge>}
    </>
  )
}
