import type { DiffAnswer } from '../../../core/api.ts'
import type { Change } from '../../../core/diff/change.ts'
import { printValue } from './print-value.ts'
import { sayWitness } from './say-witness.ts'
import { groupChanges } from './select-changes.ts'

/** Characters of one value that are written out. */
const valueLimit = 2_000

/** The given changes as Markdown for a pull request or a chat. Names and texts of tools cannot break out of it. */
export function diffMarkdown(answer: DiffAnswer, changes: readonly Change[]): string {
  const { counts, proved, undecided } = answer.report
  const lines = [
    `# ${plain(answer.a.label)} → ${plain(answer.b.label)}`,
    '',
    `${counts.breaking} breaking, ${counts.dangerous} dangerous, ${counts.warning} warnings, ${proved} compatible (proved), ${undecided} undecided`,
  ]
  for (const group of groupChanges(changes))
    lines.push('', `## ${plain(group.title)}`, '', ...group.changes.flatMap(changeLines))
  return `${lines.join('\n')}\n`
}

function changeLines(change: Change): string[] {
  const place = [change.direction, change.path].filter(Boolean).join(' ')
  const lines = [
    `- **${change.severity}** ${code(place)} ${plain(change.message)} (${code(change.fingerprint)})`,
  ]
  if (change.reason) lines.push(`  ${plain(change.reason)}`)
  for (const cue of change.cues ?? []) lines.push(`  - ${plain(cue)}`)
  if (change.witness) {
    const { title, refusal } = sayWitness(change.direction, change.witness)
    lines.push('', `  ${title} (${plain(refusal)}):`, '', ...fenced(printValue(change.witness.value)), '')
  }
  return lines
}

/** One line in which no character is Markdown any more. */
function plain(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_{}[\]<>()#+!|~-]/g, character => `\\${character}`)
    .slice(0, valueLimit)
}

/** A fence longer than any run of backticks inside. */
function code(text: string): string {
  const line = text.replace(/\s+/g, ' ').slice(0, valueLimit)
  const fence = '`'.repeat(longestTicks(line) + 1)
  return `${fence} ${line} ${fence}`
}

function fenced(text: string): string[] {
  const shown = text.slice(0, valueLimit)
  const fence = '`'.repeat(Math.max(3, longestTicks(shown) + 1))
  return [`${fence}json`, ...shown.split('\n'), fence].map(line => `  ${line}`)
}

function longestTicks(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length))
}
