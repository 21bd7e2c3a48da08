/** The formats of a changelog, each with its writer. */
import { plainJson } from '../text/plain-text.ts'
import { shorten } from '../text/wording.ts'
import type { Changelog, ChangelogEntry } from './changelog.ts'
import { feedChangelog } from './changelog-feed.ts'
import { htmlChangelog } from './changelog-html.ts'
import { buildEntryOutline, countsSentence, type VisibleBreak } from './changelog-outline.ts'
import { textChangelog } from './changelog-text.ts'
import { code, plain } from './diff-markdown.ts'

/* Writes the changelog as a Markdown file, in the form of keepachangelog.com. */

const maxNameCharacters = 200

/** Ends with a newline. Text of the manifests cannot open tags or links, or mention users. */
function markdownChangelog({ title, entries, older }: Changelog): string {
  const lines = [`# Changelog of ${code(title)}`, '', countsSentence(entries.length, older), '']
  for (const entry of entries) lines.push(...entryMarkdown(entry))
  return `${lines.join('\n').trimEnd()}\n`
}

function entryMarkdown(entry: ChangelogEntry): string[] {
  const { facts, breaks, moreBreaks, lists, command } = buildEntryOutline(entry)
  const lines = [`## ${[code(entry.name), ...facts].join(' - ')}`, '']
  if (entry.note !== undefined) lines.push(plain(entry.note), '')
  lines.push(plain(entry.sentence), '')
  if (breaks.length > 0) {
    lines.push('### Breaking', '', ...breaks.flatMap(breakMarkdown))
    if (moreBreaks !== undefined) lines.push(`- … ${moreBreaks}`)
    lines.push('')
  }
  for (const { title, items } of lists)
    lines.push(
      `### ${title}`,
      '',
      ...items.map(
        item => `- ${item.flatMap(name => (name === undefined ? [] : nameCode(name))).join(' → ')}`,
      ),
      '',
    )
  if (command !== undefined) lines.push(`Full comparison: ${code(command)}`, '')
  return lines
}

function breakMarkdown({ subject, path, message, refusal, value }: VisibleBreak): string[] {
  const pathCode = path === '' ? '' : ` ${code(path)}`
  const lines = [`- ${nameCode(subject)}${pathCode}: ${plain(message)}`]
  if (refusal !== undefined) lines.push(`  - ${plain(refusal)}: ${code(value ?? '')}`)
  return lines
}

const nameCode = (name: string) => code(shorten(name, maxNameCharacters))

export const changelogRenderers = {
  text: textChangelog,
  json: (changelog: Changelog) => `${plainJson(changelog)}\n`,
  markdown: markdownChangelog,
  html: htmlChangelog,
  feed: feedChangelog,
}

export type ChangelogFormat = keyof typeof changelogRenderers
