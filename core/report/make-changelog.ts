/** The changelog of a source: each version against the one before it. Pure; its work is limited in counted steps. */
import type { DiffReport } from '../diff/change.ts'
import { type DiffOptions, diffManifests } from '../diff/diff-manifests.ts'
import type { ChangelogEntry, ChangelogVersion } from './changelog.ts'
import { comparedEntry, firstEntry } from './changelog-entry.ts'

export interface ChangelogOptions extends Omit<DiffOptions, 'steps'> {
  /** Whether there are older versions than these: the first one is then a base only, and has no entry. */
  readonly hasOlder?: boolean
  /** How many breaking changes an entry lists; all unless given. Its counts have the total. */
  readonly maxBreaks?: number
  /** Steps for the containment questions of all comparisons together; 10,000,000 unless given. */
  readonly steps?: number
}

interface Pair {
  readonly before: ChangelogVersion
  readonly after: ChangelogVersion
}

const defaultSteps = 10_000_000
/** For one comparison: what `toolscope diff` allows. */
const maxStepsForOne = 5_000_000

/**
 * Compares each version with the one before it, and returns the entries newest first. Its cost grows with
 * the number of versions. The same versions give the same entries on every machine.
 *
 * @param versions oldest first
 */
export async function makeChangelog(
  versions: readonly ChangelogVersion[],
  options: ChangelogOptions = {},
): Promise<ChangelogEntry[]> {
  const { hasOlder = false, maxBreaks = Number.POSITIVE_INFINITY } = options
  const pairs = versions.slice(1).map((after, at): Pair => ({ before: versions[at] ?? after, after }))
  const reports = await comparePairs(pairs, options)
  const entries = pairs.flatMap((pair, at) => {
    const report = reports[at]
    return report === undefined ? [] : [comparedEntry(pair.before, pair.after, report, maxBreaks)]
  })
  const [first] = versions
  return [...(first && !hasOlder ? [firstEntry(first)] : []), ...entries].reverse()
}

/**
 * Half of the steps are shared equally. A pair that stays undecided is compared again with a share of the other half. So a
 * version that is hard to decide takes no steps from the others, and is still decided when it is the only such version.
 */
async function comparePairs(
  pairs: readonly Pair[],
  { steps = defaultSteps, hasOlder: _hasOlder, maxBreaks: _maxBreaks, ...options }: ChangelogOptions,
): Promise<readonly DiffReport[]> {
  const compare = async ({ before, after }: Pair, share: number) => {
    const report = await diffManifests(before.side, after.side, { ...options, steps: share })
    await options.pause?.()
    return report
  }
  const share = shareOf(steps / 2, pairs.length)
  const reports: DiffReport[] = []
  for (const pair of pairs) reports.push(await compare(pair, share))
  const undecidedCount = reports.filter(isUndecided).length
  const largerShare = shareOf(steps / 2, undecidedCount)
  if (largerShare <= share) return reports
  for (const [at, pair] of pairs.entries())
    if (isUndecided(reports[at])) reports[at] = await compare(pair, largerShare)
  return reports
}

const isUndecided = (report: DiffReport | undefined) => report !== undefined && report.undecided > 0

function shareOf(steps: number, count: number): number {
  return Math.min(maxStepsForOne, Math.floor(steps / Math.max(1, count)))
}
