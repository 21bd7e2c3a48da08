/** Writes the report for a terminal. */

import type { Change, Severity } from '../diff/change.ts'
import { shorten } from '../text/wording.ts'
import { describeChange, fragment, outline, type ReportInput, severityMarks } from './diff-format.ts'
import {
  type BriefEntry,
  buildBrief,
  countsLine,
  messageAt,
  summarySentences,
  toolsInWords,
} from './diff-summary.ts'
import { createPaint, type Paint, type TextStyle, visibleLine } from './report-text.ts'

const colours: Record<Severity, number> = { breaking: 31, dangerous: 35, warning: 33, info: 36 }
const bold = 1
const maxWitnessCharacters = 300

/** Ends with a newline. Severity is a word and a mark; colour only repeats it. */
export function textReport(input: ReportInput, style: TextStyle): string {
  const paint = createPaint(style)
  const { detail = 'brief', report } = input
  const sentences = summarySentences(report)
  if (detail === 'sentence') return `${sentences[0]}\n`
  const head = [`${visibleLine(input.a)} → ${visibleLine(input.b)}`, sentences.join(' '), countsLine(report)]
  const lines = [...head, ...(detail === 'all' ? allLines(input, paint) : briefLines(input, paint))]
  return `${lines.join('\n')}\n`
}

function briefLines({ report }: ReportInput, paint: Paint): string[] {
  const { breaking, look, rest, restCount } = buildBrief(report)
  const lines: string[] = []
  if (breaking.length > 0)
    lines.push('', paint('Breaking', bold), ...breaking.flatMap(one => entryLines(one, paint)))
  if (look.length > 0) lines.push('', paint('Needs a look', bold), ...look.map(one => entryLine(one, paint)))
  if (rest.length > 0)
    lines.push(
      '',
      paint('Also changed', bold),
      ...rest.map(({ tools, summary }) => `  ${toolsInWords(tools, visibleLine)}: ${visibleLine(summary)}`),
    )
  if (restCount > 0 || breaking.some(({ count }) => count > 1))
    lines.push('', 'Use --all to list every change with its proof and id.')
  return lines
}

/** Returns the change and its witness. */
function entryLines(entry: BriefEntry, paint: Paint): string[] {
  const { witness, direction } = entry.change
  const lines = [entryLine(entry, paint)]
  if (witness === undefined) return lines
  const verb = direction === 'output' ? 'can come now; before:' : 'worked; now:'
  const value = visibleLine(fragment(witness.value, 0, maxWitnessCharacters))
  return [...lines, `      ${value} ${verb} ${visibleLine(`${witness.path} ${witness.error}`)}`]
}

function entryLine({ change, tools, count }: BriefEntry, paint: Paint): string {
  const { severity, path, direction, fingerprint, cues = [] } = change
  const about = path === '' ? [] : [direction === 'output' ? `output ${path}` : path]
  const where = [toolsInWords(tools, visibleLine), ...about.map(visibleLine)].join(' ')
  const id = count === 1 ? `  (id ${fingerprint})` : ''
  const cue = cues[0] === undefined ? '' : `: ${visibleLine(cues[0])}`
  return `  ${paint(severityMarks[severity], colours[severity])} ${where}: ${visibleLine(messageAt(change))}${cue}${id}`
}

function allLines(input: ReportInput, paint: Paint): string[] {
  const { groups, ignored } = outline(input)
  const lines: string[] = []
  for (const [tool, changes] of groups) {
    lines.push('', paint(tool === '' ? 'the server' : visibleLine(tool), bold))
    for (const change of changes) lines.push(...describe(change, paint))
  }
  return ignored ? [...lines, '', ignored] : lines
}

function describe(change: Change, paint: Paint): string[] {
  const { severity, direction, path, message, fingerprint, ...details } = describeChange(change)
  const { mark, verdict, refused, notes, cues, tools, words } = details
  const pathText = path === '' ? '' : ` ${visibleLine(path)}`
  const head = paint(`${mark} ${severity}`, colours[severity])
  const lines = [`  ${head} ${direction}${pathText} — ${visibleLine(message)}  (id ${fingerprint})`]
  if (verdict !== undefined) lines.push(`      ${visibleLine(verdict)}`)
  if (refused !== undefined && severity !== 'info') {
    lines.push(`      ${visibleLine(refused)}`)
    lines.push(`      ${visibleLine(fragment(change.witness?.value, 0))}`)
  }
  for (const note of notes) lines.push(`      ${visibleLine(note)}`)
  for (const cue of cues) lines.push(`      ▲ ${visibleLine(cue)}`)
  for (const [kind, sign] of [
    ['removed', '-'],
    ['added', '+'],
  ] as const) {
    const text = words?.flatMap(run => (run.kind === kind ? [run.text] : [])).join(' … ')
    if (text?.trim()) lines.push(`      ${sign} ${shorten(visibleLine(text), 300)}`)
  }
  if (tools) lines.push(`      ${shorten(tools.map(visibleLine).join(', '), 300)}`)
  return lines
}
