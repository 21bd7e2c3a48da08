/** Makes the changelog of a source by comparing each version with the previous one. Pure; work is limited in steps. */
import type { DiffReport } from '../diff/change.ts'
import { type DiffOptions, diffManifests } from '../diff/diff-manifests.ts'
import type { ChangelogEntry, ChangelogVersion } from './changelog.ts'
import { comparedEntry, firstEntry } from './changelog-entry.ts'

export interface ChangelogOptions extends Omit<DiffOptions, 'steps'> {
  /** Whether there are older versions than these: the first one is then only a base and has no entry. */
  readonly hasOlder?: boolean
  /** Maximum breaking changes that an entry lists; unlimited by default. Its counts include all. */
  readonly maxBreaks?: number
  /** Maximum steps for the containment questions of all comparisons together; 10,000,000 by default. */
  readonly steps?: number
}

interface VersionPair {
  readonly before: ChangelogVersion
  readonly after: ChangelogVersion
}

const defaultSteps = 10_000_000
/** Maximum for one comparison: that of `toolscope diff`. */
const maxStepsForOne = 5_000_000

/**
 * Compares each version with the previous one, and returns the entries newest first. Its cost grows with the number of
 * versions. The same versions give the same entries on every machine.
 *
 * @param versions oldest first
 */
export async function makeChangelog(
  versions: readonly ChangelogVersion[],
  options: ChangelogOptions = {},
): Promise<ChangelogEntry[]> {
  const { hasOlder = false, maxBreaks = Number.POSITIVE_INFINITY } = options
  const pairs = versions.slice(1).map((after, at): VersionPair => ({ before: versions[at] ?? after, after }))
  const reports = await comparePairs(pairs, options)
  const entries = pairs.flatMap((pair, at) => {
    const report = reports[at]
    return report === undefined ? [] : [comparedEntry(pair.before, pair.after, report, maxBreaks)]
  })
  const [first] = versions
  return [...(first && !hasOlder ? [firstEntry(first)] : []), ...entries].reverse()
}

/**
 * Half of the steps are shared equally. An undecided pair is compared again with a share of the other half. So a
 * version that is hard to decide takes no steps from the others, and is still decided if it is the only such version.
 */
async function comparePairs(
  pairs: readonly VersionPair[],
  { steps = defaultSteps, hasOlder: _hasOlder, maxBreaks: _maxBreaks, ...options }: ChangelogOptions,
): Promise<readonly DiffReport[]> {
  const compare = async ({ before, after }: VersionPair, share: number) => {
    const report = await diffManifests(before.side, after.side, { ...options, steps: share })
    await options.pause?.()
    return report
  }
  const share = divideSteps(steps / 2, pairs.length)
  const reports: DiffReport[] = []
  for (const pair of pairs) reports.push(await compare(pair, share))
  const undecidedCount = reports.filter(isUndecided).length
  const largerShare = divideSteps(steps / 2, undecidedCount)
  if (largerShare <= share) return reports
  for (const [at, pair] of pairs.entries())
    if (isUndecided(reports[at])) reports[at] = await compare(pair, largerShare)
  return reports
}

const isUndecided = (report: DiffReport | undefined) => report !== undefined && report.undecided > 0

function divideSteps(steps: number, count: number): number {
  return Math.min(maxStepsForOne, Math.floor(steps / Math.max(1, count)))
}
