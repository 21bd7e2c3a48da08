/** Makes the entry of one version of a changelog, from its comparison with the previous version. */
import type { Change, DiffReport } from '../diff/change.ts'
import { sectionKinds } from '../diff/surface-sections.ts'
import { withoutUndefined } from '../json/json.ts'
import { counted } from '../text/wording.ts'
import type { Bump, ChangelogBreak, ChangelogEntry, ChangelogVersion } from './changelog.ts'
import { describeChange } from './diff-format.ts'
import { summarySentences } from './diff-summary.ts'

/** The first version is not compared with another. */
export function firstEntry(version: ChangelogVersion): ChangelogEntry {
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
export function comparedEntry(
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

/** Returns breaking changes without removed and renamed tools, which an entry lists separately. */
export function schemaBreaks(entry: ChangelogEntry): readonly ChangelogBreak[] {
  return entry.breaking.filter(each => !isEntryChange(each, 'removed') && !isEntryChange(each, 'renamed'))
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

/** Whether a change adds, removes or renames a tool, prompt, resource or template. */
function isEntryChange({ rule }: Pick<Change, 'rule'>, what: 'added' | 'removed' | 'renamed'): boolean {
  return sectionKinds.some(kind => rule === `${kind}-${what}`)
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
