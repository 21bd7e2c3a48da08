/** The same generator noise in many tools is one row. */

import { groupBy } from '../group-by.ts'
import { jsonEquals } from '../json/equality.ts'
import type { UnratedChange } from './rate-change.ts'

/** Folded rows stand where the first of their kind stood. What stands alone in its tool stays as it is. */
export function foldNoise(unrated: readonly UnratedChange[]): UnratedChange[] {
  const groups = groupBy(unrated, change => {
    const { rule, direction, before, after, strict, declared } = change
    if (!change.noise) return change
    return JSON.stringify([rule, direction, before ?? null, after ?? null, strict, declared])
  })
  return [...groups.values()].map(fold)
}

function fold(group: readonly UnratedChange[]): UnratedChange {
  const [first] = group
  const tools = [...new Set(group.flatMap(change => change.tool ?? []))]
  if (first === undefined || tools.length < 2) return first as UnratedChange
  const { tool: _tool, path: _path, witness: _witness, before, after, reason, ...rest } = first
  return {
    ...rest,
    path: '',
    message: `${first.message}, across ${tools.length} tools`,
    tools,
    ...(jsonEquals(before, undefined) ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(reason !== undefined && group.every(change => change.reason === reason) ? { reason } : {}),
    // The witness is an input of the first tool.
    ...(first.witness ? { witness: first.witness } : {}),
  }
}
