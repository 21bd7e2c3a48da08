import type { ToolSummary } from '../../../core/api/api.ts'
import { Badge } from '../../ui/badge.tsx'

interface ToolBadgesProps {
  readonly tool: Pick<ToolSummary, 'annotations'>
  readonly viewOnly: boolean
}

/** What a source says of its tool, in one or two small words. Hints from the source, not promises. */
export function ToolBadges({ tool, viewOnly }: ToolBadgesProps) {
  const { annotations } = tool
  return (
    <>
      {annotations?.destructiveHint === true && annotations.readOnlyHint !== true && (
        <Badge tone="bad">destructive</Badge>
      )}
      {annotations?.readOnlyHint === true && <Badge>read-only</Badge>}
      {viewOnly && <Badge>view only</Badge>}
    </>
  )
}
