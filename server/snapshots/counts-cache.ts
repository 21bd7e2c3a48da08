/** How two manifests differ, in numbers; asked once a pair. */

import type { SeverityCounts } from '../../core/api/versions.ts'
import type { DiffReport, DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'
import type { SnapshotManifest } from '../../core/snapshot/snapshot.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'

/** Milliseconds for the containment questions of one comparison: an announcement must come while it is news. */
const BUDGET_MS = 1_500
const MAX_PAIRS = 2_000

export interface Side {
  readonly hash: string
  readonly manifest: () => Promise<SnapshotManifest>
}

export interface CountsCache {
  between(a: Side, b: Side): Promise<SeverityCounts>
}

/** As `diffManifests` of core; the server does it on a thread. */
export type CompareManifests = (
  before: DiffSide,
  after: DiffSide,
  options: { readonly milliseconds: number },
) => Promise<DiffReport>

export const noChange: SeverityCounts = { breaking: 0, dangerous: 0, warning: 0, info: 0 }

/** @param compare in this thread unless given */
export function countsCache(compare: CompareManifests = diffManifests): CountsCache {
  const kept = new Map<string, Promise<SeverityCounts>>()
  return {
    between(a, b) {
      if (a.hash === b.hash) return Promise.resolve(noChange)
      const key = `${a.hash} ${b.hash}`
      let counts = kept.get(key)
      if (counts === undefined) {
        counts = count(a, b, compare)
        kept.set(key, counts)
        counts.catch(() => kept.delete(key))
        const [oldest] = kept.keys()
        if (kept.size > MAX_PAIRS && oldest !== undefined) kept.delete(oldest)
      }
      return counts
    },
  }
}

async function count(a: Side, b: Side, compare: CompareManifests): Promise<SeverityCounts> {
  const [before, after] = await Promise.all([a.manifest(), b.manifest()])
  const [old, young] = withoutEqual(before, after)
  return (await compare(old, young, { milliseconds: BUDGET_MS })).counts
}

/** Most of a large manifest stays as it is: what is equal on both sides need not be compared again. */
function withoutEqual(
  before: SnapshotManifest,
  after: SnapshotManifest,
): readonly [SnapshotManifest, SnapshotManifest] {
  const texts = new Map<string, string>()
  for (const tool of before.tools) if (!texts.has(tool.name)) texts.set(tool.name, JSON.stringify(tool))
  const equal = new Set<string>()
  const seen = new Set<string>()
  for (const tool of after.tools) {
    // Of several tools with one name none is left out: they are matched by more than their names.
    if (seen.has(tool.name)) equal.delete(tool.name)
    else if (texts.get(tool.name) === JSON.stringify(tool)) equal.add(tool.name)
    seen.add(tool.name)
  }
  const twice = new Set<string>()
  const once = new Set<string>()
  for (const { name } of before.tools) (once.has(name) ? twice : once).add(name)
  const differs = (tool: ManifestTool) => !equal.has(tool.name) || twice.has(tool.name)
  return [
    { ...before, tools: before.tools.filter(differs) },
    { ...after, tools: after.tools.filter(differs) },
  ]
}
