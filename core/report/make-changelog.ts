/** Makes the changelog of a source by comparing each version with the previous one. Pure; work is limited in steps. */

import type { Change, DiffReport } from '../diff/change.ts'
import { type DiffOptions, diffManifests } from '../diff/diff-manifests.ts'
import { withoutUndefined } from '../json/json.ts'
import { counted } from '../text/wording.ts'
import type { Bump, ChangelogBreak, ChangelogEntry, ChangelogVersion } from './changelog.ts'
import { isEntryChange } from './changelog-outline.ts'
import { describeChange } from './diff-format.ts'
import { summarySentences } from './diff-summary.ts'

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

/** The first version is not compared with another. */
function firstEntry(version: ChangelogVersion): ChangelogEntry {
  const toolCount = version.side.tools.length
  return {
    ...toVersionHead(version),
    sentence: `First version: ${counted(toolCount, 'tool')}.`,
    toolCount,
    counts: { breaking: 0, dangerous: 0, warning: 0, info: 0 },
    undecided: 0,
    breaking: [],
    added: [],
    removed: [],
    renamed: [],
  }
}

/** @param maxBreaks the maximum number of listed breaking changes */
function comparedEntry(
  before: ChangelogVersion,
  after: ChangelogVersion,
  report: DiffReport,
  maxBreaks: number,
): ChangelogEntry {
  const { changes, counts, undecided } = report
  const breaks = changes.filter(({ severity }) => severity === 'breaking')
  return {
    ...toVersionHead(after),
    before: { reference: before.reference, name: before.name },
    sentence: summarySentences(report).join(' '),
    bump: chooseBump(report),
    toolCount: after.side.tools.length,
    counts,
    undecided,
    breaking: breaks.slice(0, maxBreaks).map(toChangelogBreak),
    added: listLabels(changes, 'added'),
    removed: listLabels(changes, 'removed'),
    renamed: changes.filter(change => isEntryChange(change, 'renamed')).flatMap(renames),
  }
}

function toVersionHead({ reference, name, time, note }: ChangelogVersion) {
  return { reference, name, ...withoutUndefined({ time, note }) }
}

function toChangelogBreak(change: Change): ChangelogBreak {
  const { fingerprint, rule, direction, tool, tools, path, message, witness } = change
  const refusal = describeChange(change).refused
  return {
    fingerprint,
    rule,
    direction,
    path,
    message,
    ...withoutUndefined({ tool, tools, refusal, witness }),
  }
}

function listLabels(changes: readonly Change[], what: 'added' | 'removed'): readonly string[] {
  return changes.flatMap(change => (isEntryChange(change, what) ? (change.tool ?? []) : []))
}

/** A change holds two names if it renames one tool, and two lists of names if it renames several. */
function renames({ before, after }: Change): { readonly before: string; readonly after: string }[] {
  const [namesBefore, namesAfter] = [[before].flat(), [after].flat()]
  return namesBefore.map((name, at) => ({ before: String(name), after: String(namesAfter[at]) }))
}

/* Decides which part of a version number to raise: docs/changelog.md has the rule as a table. */

/** Schema rules that do not affect a caller that sends only declared fields. */
const rulesWithoutEffect: ReadonlySet<string> = new Set([
  'additional-properties-closed',
  'additional-properties-opened',
  'enum-form',
  'format-changed',
  'generator-bounds',
  'generator-dialect',
  'generator-form',
  'note-changed',
])

/** Capabilities have no schema, but clients rely on them. */
const rulesOfCapabilities: ReadonlySet<string> = new Set(['capability-added', 'capability-changed'])

/**
 * Returns `major` for changes that break callers; `minor` for those that need a look, add something, or change what an
 * input accepts or an output returns; `patch` for the others.
 */
function chooseBump({ changes, counts }: Pick<DiffReport, 'changes' | 'counts'>): Bump {
  if (changes.length === 0) return 'none'
  if (counts.breaking > 0) return 'major'
  return counts.dangerous + counts.warning > 0 || changes.some(changesTheInterface) ? 'minor' : 'patch'
}

function changesTheInterface({ rule, direction }: Change): boolean {
  if (rulesWithoutEffect.has(rule)) return false
  return (
    direction === 'input' || direction === 'output' || direction === 'tool' || rulesOfCapabilities.has(rule)
  )
}
