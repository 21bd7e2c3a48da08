/** The report as Markdown: for a pull request, a chat, a clipboard. */
import type { Change } from '../change.ts'
import {
  byTool,
  fragment,
  oneLine,
  type ReportInput,
  severityMarks,
  summary,
  verdictLine,
  visible,
  witnessLine,
} from './format.ts'

/** Ends with a newline. Text of the manifests can neither open a tag nor a link nor mention anybody. */
export function markdownReport({ a, b, report }: ReportInput): string {
  const lines = [`## ${code(a)} → ${code(b)}`, '', summary(report), '']
  for (const [tool, changes] of byTool(report.changes)) {
    lines.push(`### ${tool === '' ? 'The manifest' : code(tool)}`, '')
    for (const change of changes) lines.push(...markdownChange(change))
  }
  if (report.changes.length === 0) lines.push(`No change in ${report.compared} tools.`, '')
  if (report.ignored.length > 0) lines.push(`${report.ignored.length} ignored.`, '')
  return `${lines.join('\n').trimEnd()}\n`
}

/** One change as lines of Markdown, a blank one last: also what the page copies. */
export function markdownChange(change: Change): string[] {
  const { severity, direction, path, message, fingerprint, cues = [], tools } = change
  const place = path === '' ? '' : ` ${code(path)}`
  const lines = [
    `- ${severityMarks[severity]} **${severity}** ${direction}${place}: ${plain(message)} (${fingerprint})`,
  ]
  const verdict = verdictLine(change)
  if (verdict !== undefined) lines.push(`  - ${plain(verdict)}`)
  const refused = witnessLine(change)
  if (refused !== undefined) lines.push(`  - ${plain(refused)}`, ...fenced(fragment(change.witness?.value)))
  for (const cue of cues) lines.push(`  - ▲ ${plain(cue)}`)
  if (tools) lines.push(`  - ${tools.slice(0, 30).map(code).join(', ')}${tools.length > 30 ? ', …' : ''}`)
  return [...lines, '']
}

function fenced(text: string): string[] {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(match => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return [
    `    ${fence}json`,
    ...visible(text)
      .split('\n')
      .map(line => `    ${line}`),
    `    ${fence}`,
  ]
}

function code(text: string): string {
  const line = oneLine(text)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(match => match[0].length))
  const ticks = '`'.repeat(longest + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${line}${space}${ticks}`
}

function plain(text: string): string {
  return oneLine(text)
    .replaceAll(/[\\`*_[\]<>|~#!&]/g, character => `\\${character}`)
    .replaceAll('@', '@\u200b')
    .replaceAll(/\b(https?|ftp|www)([:.])/gi, (_, scheme: string, mark: string) => `${scheme}\u200b${mark}`)
}
