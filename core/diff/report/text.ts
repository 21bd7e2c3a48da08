/** The report for a terminal. */
import type { Change, Severity } from '../change.ts'
import {
  byTool,
  fragment,
  oneLine,
  type ReportInput,
  severityMarks,
  summary,
  type TextStyle,
  verdictLine,
  witnessLine,
} from './format.ts'

const colours: Record<Severity, number> = { breaking: 31, dangerous: 35, warning: 33, info: 36 }

/** Ends with a newline. Severity is a word and a mark; colour only repeats it. */
export function textReport({ a, b, report }: ReportInput, { colour }: TextStyle): string {
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const lines = [`${oneLine(a)} → ${oneLine(b)}`, summary(report)]
  for (const [tool, changes] of byTool(report.changes)) {
    lines.push('', paint(tool === '' ? 'the manifest' : oneLine(tool), 1))
    for (const change of changes) lines.push(...describe(change, paint))
  }
  if (report.changes.length === 0) lines.push('', `No change in ${report.compared} tools.`)
  if (report.ignored.length > 0) lines.push('', `${report.ignored.length} ignored.`)
  return `${lines.join('\n')}\n`
}

function describe(change: Change, paint: (text: string, code: number) => string): string[] {
  const { severity, direction, path, message, fingerprint, cues = [], tools, words } = change
  const place = path === '' ? '' : ` ${oneLine(path)}`
  const head = paint(`${severityMarks[severity]} ${severity}`, colours[severity])
  const lines = [`  ${head} ${direction}${place} — ${oneLine(message)}  ${fingerprint}`]
  const verdict = verdictLine(change)
  if (verdict !== undefined) lines.push(`      ${oneLine(verdict)}`)
  const refused = witnessLine(change)
  if (refused !== undefined) {
    lines.push(`      ${oneLine(refused)}`)
    lines.push(`      ${oneLine(fragment(change.witness?.value, 0))}`)
  }
  for (const cue of cues) lines.push(`      ▲ ${oneLine(cue)}`)
  const added = words?.flatMap(({ kind, text }) => (kind === 'added' ? [text] : [])).join(' … ')
  if (added) lines.push(`      + ${shortened(oneLine(added))}`)
  if (tools) lines.push(`      ${shortened(tools.map(oneLine).join(', '))}`)
  return lines
}

function shortened(text: string): string {
  return text.length > 300 ? `${text.slice(0, 299)}…` : text
}
