/** Fields of a tool that only one era of MCP has: between two eras they say nothing about the tool. */

import type { ManifestTool } from '../tool/tool.ts'
import type { DiffSide } from './change.ts'

/** `execution` (tasks) came with 2025-11-25; the `Tool` of 2026-07-28 has no such field. */
const field = 'execution'
const firstModern = '2026-07-28'

/** The two sides without fields that cannot be compared; the sides themselves where there are none. */
export function withoutEraFields(before: DiffSide, after: DiffSide): readonly [DiffSide, DiffSide] {
  const eras = [before, after].map(side => side.protocolVersion && side.protocolVersion >= firstModern)
  const areDifferent = eras.every(era => era !== undefined) && eras[0] !== eras[1]
  // A version that was stored names no protocol. That no tool has the field any longer is no change of the tools.
  const isGone = hasField(before) && !hasField(after)
  return areDifferent || isGone ? [strip(before), strip(after)] : [before, after]
}

const hasField = ({ tools }: DiffSide) => tools.some(({ extra }) => extra?.[field] !== undefined)

function strip(side: DiffSide): DiffSide {
  return {
    ...side,
    tools: side.tools.map((tool): ManifestTool => {
      if (tool.extra?.[field] === undefined) return tool
      const { [field]: _, ...extra } = tool.extra
      return { ...tool, extra }
    }),
  }
}
