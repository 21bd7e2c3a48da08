/** The report as Markdown: for a pull request, a chat, a clipboard. */

import { oneLine, visible } from '../../report/text.ts'
import type { Change } from '../change.ts'
import { detailsOf, fragment, outline, type ReportInput } from './format.ts'

/** Ends with a newline. Text of the manifests can neither open a tag nor a link nor mention anybody. */
export function markdownReport(input: ReportInput): string {
  const { verdict, more, counts, groups, ignored } = outline(input)
  const lines = [
    `## ${code(input.a)} → ${code(input.b)}`,
    '',
    [`**${verdict}**`, ...more].join(' '),
    '',
    counts,
    '',
  ]
  for (const [tool, changes] of groups) {
    lines.push(`### ${tool === '' ? 'The manifest' : code(tool)}`, '')
    for (const change of changes) lines.push(...markdownChange(change))
  }
  if (ignored) lines.push(ignored, '')
  return `${lines.join('\n').trimEnd()}\n`
}

/** One change as lines of Markdown, a blank one last: also what the page copies. */
function markdownChange(change: Change): string[] {
  const { severity, direction, path, message, fingerprint, ...details } = detailsOf(change)
  const { mark, verdict, refused, cues, tools } = details
  const place = path === '' ? '' : ` ${code(path)}`
  const lines = [`- ${mark} **${severity}** ${direction}${place}: ${plain(message)} (${fingerprint})`]
  if (verdict !== undefined) lines.push(`  - ${plain(verdict)}`)
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
