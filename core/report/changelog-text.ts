/** Writes the changelog for a terminal. */

import { shorten } from '../text/wording.ts'
import type { Bump, Changelog, ChangelogEntry } from './changelog.ts'
import { buildEntryOutline, countsSentence, type ShownList } from './changelog-outline.ts'
import { createPaint, oneLine, type Paint, type TextStyle } from './text.ts'

const bold = 1
const red = 31
const bumpColours: Readonly<Record<Bump, number>> = { major: red, minor: 33, patch: 36, none: 36 }
const maxNamesCharacters = 300

/** Ends with a newline. */
export function textChangelog({ title, entries, older }: Changelog, style: TextStyle): string {
  const paint = createPaint(style)
  const lines = [`${oneLine(title)}: ${countsSentence(entries.length, older)}`]
  for (const entry of entries) lines.push('', formatHeading(entry, paint), ...entryLines(entry, paint))
  return `${lines.join('\n')}\n`
}

function formatHeading(entry: ChangelogEntry, paint: Paint): string {
  const { name, bump } = entry
  const facts = buildEntryOutline(entry).facts.map(fact =>
    fact === bump ? paint(fact, bumpColours[bump]) : fact,
  )
  return [paint(oneLine(name), bold), ...facts].join(' · ')
}

/** Returns the changes of the version without its heading. A feed uses it as text. */
export function entryLines(entry: ChangelogEntry, paint: Paint = text => text): readonly string[] {
  const { breaks, moreBreaks, lists, command } = buildEntryOutline(entry)
  const lines = entry.note === undefined ? [] : [`  ${oneLine(entry.note)}`]
  lines.push(`  ${oneLine(entry.sentence)}`)
  for (const { subject, path, message, refusal, value } of breaks) {
    const place = path === '' ? '' : ` ${oneLine(path)}`
    lines.push(`  ${paint('✕', red)} ${oneLine(subject)}${place} — ${oneLine(message)}`)
    if (refusal !== undefined) lines.push(`      ${oneLine(refusal)}: ${oneLine(value ?? '')}`)
  }
  if (moreBreaks !== undefined) lines.push(`  ${paint('✕', red)} … ${moreBreaks}`)
  for (const list of lists) lines.push(`  ${listLine(list, paint)}`)
  if (command !== undefined) lines.push(`  ${oneLine(command)}`)
  return lines
}

function listLine({ title, mark, breaks, items }: ShownList, paint: Paint): string {
  const names = items.map(item => item.flatMap(name => (name === undefined ? [] : oneLine(name))).join(' → '))
  const sign = breaks ? paint(mark, red) : mark
  return `${sign} ${title}: ${shorten(names.join(', '), maxNamesCharacters)}`
}
