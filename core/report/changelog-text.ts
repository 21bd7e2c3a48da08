/** Writes the changelog for a terminal. */

import { shorten } from '../text/wording.ts'
import type { Bump, Changelog, ChangelogEntry } from './changelog.ts'
import { buildEntryOutline, countsSentence, type VisibleList } from './changelog-outline.ts'
import { createPaint, type Paint, type TextStyle, visibleLine } from './report-text.ts'

const bold = 1
const red = 31
const bumpColours: Readonly<Record<Bump, number>> = { major: red, minor: 33, patch: 36, none: 36 }
const maxNamesCharacters = 300

/** Ends with a newline. */
export function textChangelog({ title, entries, older }: Changelog, style: TextStyle): string {
  const paint = createPaint(style)
  const lines = [`${visibleLine(title)}: ${countsSentence(entries.length, older)}`]
  for (const entry of entries) lines.push('', formatHeading(entry, paint), ...entryLines(entry, paint))
  return `${lines.join('\n')}\n`
}

function formatHeading(entry: ChangelogEntry, paint: Paint): string {
  const { name, bump } = entry
  const facts = buildEntryOutline(entry).facts.map(fact =>
    fact === bump ? paint(fact, bumpColours[bump]) : fact,
  )
  return [paint(visibleLine(name), bold), ...facts].join(' · ')
}

/** Returns the changes of the version without its heading. A feed uses it as text. */
export function entryLines(entry: ChangelogEntry, paint: Paint = text => text): readonly string[] {
  const { breaks, moreBreaks, lists, command } = buildEntryOutline(entry)
  const lines = entry.note === undefined ? [] : [`  ${visibleLine(entry.note)}`]
  lines.push(`  ${visibleLine(entry.sentence)}`)
  for (const { subject, path, message, refusal, value } of breaks) {
    const pathText = path === '' ? '' : ` ${visibleLine(path)}`
    lines.push(`  ${paint('✕', red)} ${visibleLine(subject)}${pathText} — ${visibleLine(message)}`)
    if (refusal !== undefined) lines.push(`      ${visibleLine(refusal)}: ${visibleLine(value ?? '')}`)
  }
  if (moreBreaks !== undefined) lines.push(`  ${paint('✕', red)} … ${moreBreaks}`)
  for (const list of lists) lines.push(`  ${listLine(list, paint)}`)
  if (command !== undefined) lines.push(`  ${visibleLine(command)}`)
  return lines
}

function listLine({ title, mark, breaks, items }: VisibleList, paint: Paint): string {
  const names = items.map(item =>
    item.flatMap(name => (name === undefined ? [] : visibleLine(name))).join(' → '),
  )
  const sign = breaks ? paint(mark, red) : mark
  return `${sign} ${title}: ${shorten(names.join(', '), maxNamesCharacters)}`
}
