/** Writes the report as Markdown: for a pull request, a chat, a clipboard. */

import type { Change } from '../diff/change.ts'
import { describeChange, fragment, outline, type ReportInput, severityMarks } from './diff-format.ts'
import {
  type BriefEntry,
  buildBrief,
  countsLine,
  messageAt,
  summarySentences,
  toolsInWords,
} from './diff-summary.ts'
import { visible, visibleLine } from './report-text.ts'

/**
 * GitHub refuses a comment of more than 65,536 characters, and a step summary of more than 1 MiB (1,048,576 bytes). A
 * UTF-16 code unit has at most three bytes in UTF-8: 240,000 of them have at most 720,000.
 */
const maxCharacters = { brief: 60_000, all: 240_000 } as const
const maxWitnessCharacters = 400
const maxWordsCharacters = 600

/**
 * Ends with a newline, and stays below GitHub's limits: whole entries are left out and counted. Text of the manifests
 * cannot open tags or links, or mention users.
 */
export function markdownReport(input: ReportInput): string {
  const { detail = 'brief', report } = input
  const [verdict, ...more] = summarySentences(report)
  if (detail === 'sentence') return `${verdict}\n`
  const head = [
    `## ${code(input.a)} → ${code(input.b)}`,
    '',
    [`**${verdict}**`, ...more].join(' '),
    '',
    countsLine(report),
  ].join('\n')
  if (detail === 'brief') return `${withinLimit(head, briefBlocks(input), maxCharacters.brief)}\n`
  const { groups, ignored } = outline(input)
  const tail = ignored === undefined ? '' : `\n\n${ignored}`
  return `${withinLimit(head, allBlocks(groups), maxCharacters.all)}${tail}\n`
}

/** Lines that stay together, below their own heading or that of the previous block. */
interface MarkdownBlock {
  readonly heading?: string
  readonly text: string
}

function withinLimit(head: string, blocks: readonly MarkdownBlock[], max: number): string {
  const parts = [head]
  let length = head.length
  let left = 0
  for (const { heading, text } of blocks) {
    const added = heading === undefined ? `\n${text}` : `\n\n${heading}\n\n${text}`
    if (left > 0 || length + added.length > max) left += 1
    else {
      parts.push(added)
      length += added.length
    }
  }
  if (left > 0)
    parts.push(`\n\n${left} more entries are left out here; \`toolscope diff --all\` lists every change.`)
  return parts.join('')
}

function briefBlocks({ report }: ReportInput): MarkdownBlock[] {
  const { breaking, look, rest } = buildBrief(report)
  const under = (heading: string, texts: readonly string[]) =>
    texts.map((text, at): MarkdownBlock => (at === 0 ? { heading: `### ${heading}`, text } : { text }))
  return [
    ...under(
      'Breaking',
      breaking.map(entry => [`- ${entryLine(entry)}`, ...witnessLines(entry.change)].join('\n')),
    ),
    ...under(
      'Needs a look',
      look.map(entry => `- ${entryLine(entry)}`),
    ),
    ...under(
      'Also changed',
      rest.map(({ tools, summary }) => `- ${toolsInWords(tools, code)}: ${plain(summary)}`),
    ),
  ]
}

function entryLine({ change, tools, count }: BriefEntry): string {
  const { severity, path, direction, fingerprint, cues = [] } = change
  const where = [
    toolsInWords(tools, code),
    ...(path === '' ? [] : [`${direction === 'output' ? 'output ' : ''}${code(path)}`]),
  ]
  const cue = cues[0] === undefined ? '' : `: ${plain(cues[0])}`
  const id = count === 1 ? ` (id ${fingerprint})` : ''
  return `${severityMarks[severity]} ${where.join(' ')}: ${plain(messageAt(change))}${cue}${id}`
}

function witnessLines({ witness, direction }: Change): string[] {
  if (witness === undefined) return []
  const verb = direction === 'output' ? 'can come now; before:' : 'worked; now:'
  const value = fragment(witness.value, 0, maxWitnessCharacters)
  return [`  ${code(value)} ${verb} ${plain(`${witness.path} ${witness.error}`)}`]
}

function allBlocks(groups: ReturnType<typeof outline>['groups']): MarkdownBlock[] {
  return groups.flatMap(([tool, changes]) =>
    changes.map((change, at): MarkdownBlock => {
      const text = markdownChange(change).join('\n')
      return at === 0
        ? { heading: `### ${tool === '' ? 'The server' : code(tool)}`, text }
        : { text: `\n${text}` }
    }),
  )
}

function markdownChange(change: Change): string[] {
  const { severity, direction, path, message, fingerprint, ...details } = describeChange(change)
  const { mark, verdict, refused, notes, cues, tools, words } = details
  const pathCode = path === '' ? '' : ` ${code(path)}`
  const lines = [`- ${mark} **${severity}** ${direction}${pathCode}: ${plain(message)} (id ${fingerprint})`]
  if (verdict !== undefined) lines.push(`  - ${plain(verdict)}`)
  if (refused !== undefined && severity !== 'info')
    lines.push(`  - ${plain(refused)}`, ...fenced(fragment(change.witness?.value)))
  for (const note of notes) lines.push(`  - ${plain(note)}`)
  for (const cue of cues) lines.push(`  - ▲ ${plain(cue)}`)
  for (const kind of ['removed', 'added'] as const) {
    const text = words?.flatMap(run => (run.kind === kind ? [run.text] : [])).join(' … ')
    if (text?.trim()) lines.push(`  - ${kind}: ${plain(text.slice(0, maxWordsCharacters))}`)
  }
  if (tools) lines.push(`  - ${toolsInWords(tools, code, 30)}`)
  return lines
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

export function code(text: string): string {
  const line = visibleLine(text)
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map(match => match[0].length))
  const ticks = '`'.repeat(longest + 1)
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : ''
  return `${ticks}${space}${line}${space}${ticks}`
}

export function plain(text: string): string {
  return visibleLine(text)
    .replaceAll(/[\\`*_[\]<>|~#!&]/g, character => `\\${character}`)
    .replaceAll('@', '@\u200b')
    .replaceAll(/\b(https?|ftp|www)([:.])/gi, (_, scheme: string, mark: string) => `${scheme}\u200b${mark}`)
}
