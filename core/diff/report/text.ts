/** The report for a terminal. */

import { oneLine, type TextStyle } from '../../report/text.ts'
import { shorten } from '../../text/wording.ts'
import type { Change, Severity } from '../change.ts'
import { detailsOf, fragment, outline, type ReportInput } from './format.ts'

const colours: Record<Severity, number> = { breaking: 31, dangerous: 35, warning: 33, info: 36 }

/** Ends with a newline. Severity is a word and a mark; colour only repeats it. */
export function textReport(input: ReportInput, { colour }: TextStyle): string {
  const paint = (text: string, code: number) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
  const { verdict, more, counts, groups, ignored } = outline(input)
  const lines = [`${oneLine(input.a)} → ${oneLine(input.b)}`, [verdict, ...more].join(' '), counts]
  for (const [tool, changes] of groups) {
    lines.push('', paint(tool === '' ? 'the manifest' : oneLine(tool), 1))
    for (const change of changes) lines.push(...describe(change, paint))
  }
  if (ignored) lines.push('', ignored)
  return `${lines.join('\n')}\n`
}

function describe(change: Change, paint: (text: string, code: number) => string): string[] {
  const { severity, direction, path, message, fingerprint, ...details } = detailsOf(change)
  const { mark, verdict, refused, cues, tools, words } = details
  const place = path === '' ? '' : ` ${oneLine(path)}`
  const head = paint(`${mark} ${severity}`, colours[severity])
  const lines = [`  ${head} ${direction}${place} — ${oneLine(message)}  ${fingerprint}`]
  if (verdict !== undefined) lines.push(`      ${oneLine(verdict)}`)
  if (refused !== undefined) {
    lines.push(`      ${oneLine(refused)}`)
    lines.push(`      ${oneLine(fragment(change.witness?.value, 0))}`)
  }
  for (const cue of cues) lines.push(`      ▲ ${oneLine(cue)}`)
  const added = words?.flatMap(({ kind, text }) => (kind === 'added' ? [text] : [])).join(' … ')
  if (added) lines.push(`      + ${shorten(oneLine(added), 300)}`)
  if (tools) lines.push(`      ${shorten(tools.map(oneLine).join(', '), 300)}`)
  return lines
}
