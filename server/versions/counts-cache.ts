/** Counts the changes of each severity between two manifests; each pair is compared only once by the same rules. */
import { LRUCache } from 'lru-cache'
import type { SeverityCounts } from '../../core/api/versions.ts'
import type { DiffSide } from '../../core/diff/change.ts'
import { rulesOptions, type TeamRules } from '../../core/diff/team-rules.ts'
import { canonicalJson, isSameJson } from '../../core/json/equality.ts'
import type { SnapshotManifest } from '../../core/manifest/snapshot.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { turns } from '../workers/run-slices.ts'

/** For the containment checks of one comparison: a change must be announced soon. */
const maxSteps = 1_000_000
const maxPairs = 2_000

export interface CountedSide {
  readonly hash: string
  readonly manifest: () => Promise<SnapshotManifest>
}

export interface CountsCache {
  /** @param read reads both sides, perhaps without tools that are equal in both */
  between(
    a: CountedSide,
    b: CountedSide,
    read?: () => Promise<readonly [SnapshotManifest, SnapshotManifest]>,
  ): Promise<SeverityCounts>
}

/** Returns the counts of `diffManifests` of core; the server counts on a thread. */
export type CountChanges = (
  before: DiffSide,
  after: DiffSide,
  options: { readonly steps: number; readonly rules: TeamRules },
) => Promise<SeverityCounts>

const noChange: SeverityCounts = { breaking: 0, dangerous: 0, warning: 0, info: 0 }

/** Loads the comparison with the first count: the server, which counts on a thread, starts without it. */
const countHere: CountChanges = async (before, after, { steps, rules }) => {
  const { diffManifests } = await import('../../core/diff/diff-manifests.ts')
  return (await diffManifests(before, after, { ...rulesOptions(rules), steps })).counts
}

const noRules = async (): Promise<TeamRules> => ({})

/**
 * @param countChanges counts in this thread by default
 * @param readRules reads the current rules; none by default. If it rejects, so does a comparison
 */
export function countsCache(countChanges = countHere, readRules = noRules): CountsCache {
  const cached = new LRUCache<string, Promise<SeverityCounts>>({ max: maxPairs })
  return {
    async between(a, b, read = () => Promise.all([a.manifest(), b.manifest()])) {
      if (a.hash === b.hash) return noChange
      const rules = await readRules()
      const key = `${a.hash} ${b.hash} ${canonicalJson(rulesOptions(rules))}`
      let counts = cached.get(key)
      if (counts === undefined) {
        counts = count(read, rules, countChanges)
        cached.set(key, counts)
        counts.catch(() => cached.delete(key))
      }
      return counts
    },
  }
}

async function count(
  read: () => Promise<readonly [SnapshotManifest, SnapshotManifest]>,
  rules: TeamRules,
  countChanges: CountChanges,
): Promise<SeverityCounts> {
  const [before, after] = await read()
  const [beforeRest, afterRest] = await withoutEqual(before, after)
  return countChanges(beforeRest, afterRest, { steps: maxSteps, rules })
}

/** Leaves out the tools that are equal on both sides: most of a large manifest. */
async function withoutEqual(
  before: SnapshotManifest,
  after: SnapshotManifest,
): Promise<readonly [SnapshotManifest, SnapshotManifest]> {
  const known = new Map<string, ManifestTool>()
  for (const tool of before.tools) if (!known.has(tool.name)) known.set(tool.name, tool)
  const equal = new Set<string>()
  const seen = new Set<string>()
  const turn = turns()
  for (const tool of after.tools) {
    // Tools that share a name all stay, because they are matched by more than their names.
    if (seen.has(tool.name)) equal.delete(tool.name)
    else if (isSameJson(known.get(tool.name), tool)) equal.add(tool.name)
    seen.add(tool.name)
    await turn()
  }
  const names = new Set<string>()
  const duplicateNames = new Set<string>()
  for (const { name } of before.tools) (names.has(name) ? duplicateNames : names).add(name)
  const differs = (tool: ManifestTool) => !equal.has(tool.name) || duplicateNames.has(tool.name)
  return [
    { ...before, tools: before.tools.filter(differs) },
    { ...after, tools: after.tools.filter(differs) },
  ]
}
