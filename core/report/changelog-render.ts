/** The formats of a changelog, each with its writer. */

import { z } from 'zod'
import { withoutUndefined } from '../json/json.ts'
import { plainJson } from '../text/plain-text.ts'
import { shorten } from '../text/wording.ts'
import type { Bump, Changelog, ChangelogEntry } from './changelog.ts'
import {
  buildEntryOutline,
  countsSentence,
  type VisibleBreak,
  type VisibleList,
} from './changelog-outline.ts'
import { code, plain } from './diff-markdown.ts'
import {
  createPaint,
  escapeMarkup,
  htmlPage,
  type Paint,
  type TextStyle,
  visibleLine,
} from './report-text.ts'

export const changelogRenderers = {
  text: textChangelog,
  json: (changelog: Changelog) => `${plainJson(changelog)}\n`,
  markdown: markdownChangelog,
  html: htmlChangelog,
  feed: feedChangelog,
}

export type ChangelogFormat = keyof typeof changelogRenderers

const maxNameCharacters = 200

/** In the form of keepachangelog.com; ends with a newline. Text of the manifests cannot open tags or links, or mention users. */
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

const bold = 1
const red = 31
const bumpColours: Readonly<Record<Bump, number>> = { major: red, minor: 33, patch: 36, none: 36 }
const maxNamesCharacters = 300

/** Ends with a newline. */
function textChangelog({ title, entries, older }: Changelog, style: TextStyle): string {
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
function entryLines(entry: ChangelogEntry, paint: Paint = text => text): readonly string[] {
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

const styles = `
.major{color:var(--red)}.minor{color:var(--amber)}.patch{color:var(--muted)}
article ul{margin:4px 0;padding-left:20px}article li{margin:2px 0}
`

/** Writes the changelog as one HTML file. */
function htmlChangelog({ title, entries, older }: Changelog): string {
  return htmlPage(
    `Changelog of ${title}`,
    [`<p class="muted">${countsSentence(entries.length, older)}</p>`, ...entries.map(section)],
    styles,
  )
}

function section(entry: ChangelogEntry): string {
  const { facts } = buildEntryOutline(entry)
  const factSpans = facts.map(fact => `<span class="${fact === entry.bump ? fact : 'muted'}">${fact}</span>`)
  return `<section><h2>${[text(entry.name), ...factSpans].join(' · ')}</h2>\n<article>${entryHtml(entry)}</article></section>`
}

/** Returns the changes of the version without its heading. A feed uses it as content. */
function entryHtml(entry: ChangelogEntry): string {
  const { breaks, moreBreaks, lists, command } = buildEntryOutline(entry)
  return [
    ...(entry.note === undefined ? [] : [`<p class="muted">${text(entry.note)}</p>`]),
    `<p>${text(entry.sentence)}</p>`,
    ...breaks.map(breakHtml),
    ...(moreBreaks === undefined ? [] : [`<p class="breaking">✕ … ${moreBreaks}</p>`]),
    ...lists.map(listHtml),
    ...(command === undefined ? [] : [`<p class="muted">Full comparison: ${codeHtml(command)}</p>`]),
  ].join('\n')
}

function breakHtml({ subject, path, message, refusal, value }: VisibleBreak): string {
  const pathHtml = path === '' ? '' : ` ${codeHtml(path)}`
  const what = `<p><b class="breaking">✕</b> ${codeHtml(subject)}${pathHtml} ${text(message)}</p>`
  if (refusal === undefined) return what
  return `${what}\n<div class="witness"><p>${text(refusal)}</p><pre>${escapeMarkup(value ?? '')}</pre></div>`
}

function listHtml({ title, breaks, mark, items }: VisibleList): string {
  const sign = breaks ? `<b class="breaking">${mark}</b>` : mark
  const names = items.map(item =>
    item.flatMap(name => (name === undefined ? [] : codeHtml(name))).join(' → '),
  )
  return `<p>${sign} ${title}: ${names.join(', ')}</p>`
}

const text = (value: string) => escapeMarkup(visibleLine(value))
const codeHtml = (value: string) => `<code>${text(value)}</code>`

/** The fields of the format that these feeds use. */
export const feedShape = z.object({
  version: z.literal('https://jsonfeed.org/version/1.1'),
  title: z.string(),
  items: z
    .array(
      z.object({
        id: z.string().min(1),
        title: z.string(),
        summary: z.string(),
        content_text: z.string(),
        content_html: z.string(),
        date_published: z.iso.datetime({ offset: true }).exactOptional(),
        tags: z.array(z.string()).readonly().exactOptional(),
      }),
    )
    .readonly(),
})

/** JSON Feed 1.1 (https://jsonfeed.org/version/1.1); ends with a newline. A feed has no addresses, because the address of its site is unknown. */
export function feedChangelog({ title, entries }: Changelog): string {
  const feed: z.infer<typeof feedShape> = {
    version: 'https://jsonfeed.org/version/1.1',
    title: `Changelog of ${visibleLine(title)}`,
    items: entries.map(toFeedItem),
  }
  return `${plainJson(feed)}\n`
}

function toFeedItem(entry: ChangelogEntry): z.infer<typeof feedShape>['items'][number] {
  const { reference, name, time, bump, sentence } = entry
  const hasBump = bump !== undefined && bump !== 'none'
  return {
    id: reference,
    title: hasBump ? `${visibleLine(name)} (${bump})` : visibleLine(name),
    summary: sentence,
    content_text: entryLines(entry)
      .map(line => line.replace(/^ {2}/, ''))
      .join('\n'),
    content_html: entryHtml(entry),
    ...withoutUndefined({ date_published: time, tags: hasBump ? [bump] : undefined }),
  }
}
