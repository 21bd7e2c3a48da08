/** What every report of a comparison is made from. */
import { groupBy } from '../../group-by.ts'
import { jsonText } from '../../json/json.ts'
import type { Change, DiffReport, Severity } from '../change.ts'
import { severities } from '../severity.ts'
import { countsLine, summarySentences } from './summary.ts'

export interface ReportInput {
  /** What was compared, for people. */
  readonly a: string
  readonly b: string
  readonly report: DiffReport
  /** Changes of this severity and worse fail. */
  readonly failOn: Severity
  /** Of the program, for reports that name their tool. */
  readonly version: string
}

/** A sign beside the word of a severity. */
const severityMarks: Readonly<Record<Severity, string>> = {
  breaking: '✕',
  dangerous: '▲',
  warning: '!',
  info: '·',
}

/** Whether the run fails for this change. */
export function fails(change: Pick<Change, 'severity'>, failOn: Severity): boolean {
  return severities.indexOf(change.severity) <= severities.indexOf(failOn)
}

/** Changes by tool, in the order in which each first appears; what concerns many tools or none comes under ''. */
export function byTool(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  return groupBy(changes, change => change.tool ?? '')
}

/** What a report for people says in its order: the summary, the counts, the changes by tool, and remarks. */
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

/** What a report for people says of one change. */
export function detailsOf(change: Change) {
  return {
    ...change,
    cues: change.cues ?? [],
    mark: severityMarks[change.severity],
    verdict: verdictLine(change),
    refused: witnessLine(change),
  }
}

/** One line on the proof: what was asked and what came of it. */
function verdictLine({ strict, declared, reason }: Change): string | undefined {
  if (strict === undefined) return undefined
  const words = {
    proved: 'proved compatible',
    refuted: 'refuted',
    unknown: 'undecided',
    invalid: 'not a valid schema',
  }
  const both = strict === declared || declared === undefined
  const verdict = both
    ? words[strict]
    : `${words[strict]} as a set of values, ${words[declared]} for callers that keep to declared fields`
  return reason === undefined ? verdict : `${verdict}: ${reason}`
}

/** What the witness shows, in words. */
function witnessLine(change: Change): string | undefined {
  const { witness, direction } = change
  if (!witness) return undefined
  const who =
    direction === 'output'
      ? 'An output that was not promised before'
      : 'An input that worked before and fails now'
  return `${who}: ${witness.path || 'the value'} ${witness.error}`
}

/** The verdict, what the witness shows, and the cues: those that there are. */
export function detailLines(change: Change): string[] {
  const lines = [verdictLine(change), witnessLine(change), ...(change.cues ?? [])]
  return lines.flatMap(line => (line ? [line] : []))
}

const maxCharacters = 2_000

/** A part of a schema as JSON text, cut where it is long. */
export function fragment(value: unknown, indent = 2): string {
  if (value === undefined) return ''
  const text = jsonText(value, indent) ?? '… nested too deep to be shown'
  return text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text
}
