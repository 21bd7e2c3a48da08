/** The same generator noise in many tools is one row. */

import { jsonEquals } from '../json/equality.ts'
import type { DraftChange } from './draft-change.ts'

/** Folded rows stand where the first of their kind stood. What stands alone in its tool stays as it is. */
export function foldNoise(drafts: readonly DraftChange[]): DraftChange[] {
  const groups = new Map<string, DraftChange[]>()
  const rows: (DraftChange | DraftChange[])[] = []
  for (const draft of drafts) {
    if (!draft.noise) {
      rows.push(draft)
      continue
    }
    const { rule, direction, before, after, strict, declared } = draft
    const key = JSON.stringify([rule, direction, before ?? null, after ?? null, strict, declared])
    const group = groups.get(key)
    if (group) group.push(draft)
    else {
      const fresh = [draft]
      groups.set(key, fresh)
      rows.push(fresh)
    }
  }
  return rows.map(row => (Array.isArray(row) ? fold(row) : row))
}

function fold(group: readonly DraftChange[]): DraftChange {
  const [first] = group
  const tools = [...new Set(group.flatMap(draft => draft.tool ?? []))]
  if (first === undefined || tools.length < 2) return first as DraftChange
  const { tool: _tool, path: _path, witness: _witness, before, after, reason, ...rest } = first
  return {
    ...rest,
    path: '',
    message: `${first.message}, across ${tools.length} tools`,
    tools,
    ...(jsonEquals(before, undefined) ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    ...(reason !== undefined && group.every(draft => draft.reason === reason) ? { reason } : {}),
    // The witness is an input of the first tool.
    ...(first.witness ? { witness: first.witness } : {}),
  }
}
