/** What every report is made from, and the formats there are. */
import { groupBy } from '../../group-by.ts'
import { jsonText } from '../../json/json.ts'
import type { Change, DiffReport, Severity } from '../change.ts'
import { severities } from '../severity.ts'

export const reportFormats = ['text', 'json', 'markdown', 'html', 'sarif', 'junit', 'github'] as const
export type ReportFormat = (typeof reportFormats)[number]

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

/** Terminal colours; plain where they are not wanted. */
export interface TextStyle {
  readonly colour: boolean
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

/** `1 breaking · 0 dangerous · 2 warnings · 9 other changes · 9 compatible, proved · 0 undecided`. */
export function summary({ counts, proved, undecided }: DiffReport): string {
  return [
    `${counts.breaking} breaking`,
    `${counts.dangerous} dangerous`,
    `${counts.warning} ${counts.warning === 1 ? 'warning' : 'warnings'}`,
    `${counts.info} other ${counts.info === 1 ? 'change' : 'changes'}`,
    `${proved} compatible, proved`,
    `${undecided} undecided`,
  ].join(' · ')
}

/** Changes by tool, in the order in which each first appears; what concerns many tools or none comes under ''. */
export function byTool(changes: readonly Change[]): ReadonlyMap<string, readonly Change[]> {
  return groupBy(changes, change => change.tool ?? '')
}

/** What a report for people says in its order: the counts, the changes by tool, and remarks on the rest. */
export function outline({ report }: ReportInput) {
  const { changes, compared, ignored } = report
  return {
    counts: summary(report),
    groups: [...byTool(changes)],
    unchanged: changes.length === 0 ? `No change in ${compared} tools.` : undefined,
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

/** Text of a manifest made harmless for a terminal or a log: what cannot be seen is written as `\u{200b}`. */
export function visible(text: string): string {
  return text.replaceAll(
    /(?!\u200d\p{Extended_Pictographic})\p{Cf}|(?![\t\n])\p{Cc}|[\u2028\u2029]/gu,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** As `visible`, on one line. */
export function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').trim()
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML and XML, in elements and in quoted attributes. What neither may hold is written out. */
export function escapeMarkup(text: string): string {
  return visible(text)
    .replaceAll(/[&<>"']/g, character => entities[character] ?? '')
    .replaceAll(
      /[\ufffe\uffff]|[\ud800-\udfff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
}
