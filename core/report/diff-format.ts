/** The data for every report of a comparison. */

import type { Change, DiffReport, Severity } from '../diff/change.ts'
import { severities } from '../diff/severity.ts'
import { jsonText } from '../json/json.ts'
import { groupBy } from '../lists.ts'
import { countsLine, summarySentences } from './diff-summary.ts'

/** `brief`: what breaks and what needs a look, with other changes counted. `sentence`: only the verdict. */
export type Detail = 'sentence' | 'brief' | 'all'

export interface ReportInput {
  /** The names of the two sides that the report shows. */
  readonly a: string
  readonly b: string
  readonly report: DiffReport
  /** Changes of this severity or worse fail; `none`: no change fails. */
  readonly failOn: Severity | 'none'
  /** The program's version, for reports that name their tool. */
  readonly version: string
  /** The detail of the text and Markdown reports; `brief` by default. */
  readonly detail?: Detail
}

/** A sign next to the name of a severity. */
export const severityMarks: Readonly<Record<Severity, string>> = {
  breaking: '✕',
  dangerous: '▲',
  warning: '!',
  info: '·',
}

/** Returns whether the run fails because of this change. */
export function fails(change: Pick<Change, 'severity'>, failOn: ReportInput['failOn']): boolean {
  return failOn !== 'none' && severities.indexOf(change.severity) <= severities.indexOf(failOn)
}

/** Groups changes by tool, in order of appearance; changes of many tools or of none are under ''. */
export function byTool(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  return groupBy(changes, change => change.tool ?? '')
}

/** Returns the parts of a full report in order: the summary, the counts, the changes by tool, and remarks. */
export function outline({ report }: ReportInput) {
  const { changes, ignored } = report
  const [verdict, ...more] = summarySentences(report)
  return {
    verdict,
    more,
    counts: countsLine(report),
    groups: [...byTool(changes)],
    ignored: ignored.length === 0 ? undefined : `${ignored.length} ignored.`,
  }
}

/** Returns the parts of a change that a report shows. */
export function describeChange(change: Change) {
  return {
    ...change,
    cues: change.cues ?? [],
    mark: severityMarks[change.severity],
    verdict: verdictLine(change),
    refused: witnessLine(change),
    notes: noteLines(change),
  }
}

/** Returns one line on the proof. A counterexample needs no line. */
function verdictLine({ strict, declared, direction, reason, rule }: Change): string | undefined {
  const why = reason === undefined ? '' : `: ${reason}`
  if (strict === 'invalid' || declared === 'invalid') return `not a valid schema${why}`
  if (strict === 'refuted' && declared === 'proved') {
    if (direction === 'output') return 'safe unless consumers refuse undeclared fields'
    return rule === 'property-added'
      ? 'safe unless callers already send an undeclared field with this name'
      : 'safe unless callers already send undeclared fields'
  }
  if (strict === 'unknown' || declared === 'unknown') return `undecided${why}`
  return strict === 'proved' ? `compatible (checked)${why}` : undefined
}

/** Describes what the witness shows. */
function witnessLine(change: Change): string | undefined {
  const { witness, direction } = change
  if (!witness) return undefined
  const what =
    direction === 'output'
      ? "An output that callers don't expect"
      : 'An input that worked before and fails now'
  return `${what}: ${witness.path || 'the value'} ${witness.error}`
}

/** Returns where else the change is, and what it breaks with. */
function noteLines({ alsoAt = [], refusedAt = [], breaksWith = [] }: Change): string[] {
  return [
    ...(alsoAt.length > 0 ? [`also at ${alsoAt.join(', ')}`] : []),
    ...(refusedAt.length > 0 ? [`some values are refused for ${refusedAt.join(', ')}`] : []),
    ...(breaksWith.length > 0
      ? [`breaks callers together with other changes: ${breaksWith.join(' · ')}`]
      : []),
  ]
}

/** Returns the verdict, what the witness shows, notes and cues, if present. */
export function detailLines(change: Change): string[] {
  const lines = [verdictLine(change), witnessLine(change), ...noteLines(change), ...(change.cues ?? [])]
  return lines.flatMap(line => (line ? [line] : []))
}

const maxCharacters = 2_000

/** Returns a part of a schema as JSON text; long text is cut. */
export function fragment(value: unknown, indent = 2, max = maxCharacters): string {
  if (value === undefined) return ''
  const text = jsonText(value, indent) ?? '… nested too deep to be shown'
  return text.length > max ? `${text.slice(0, max)}…` : text
}
