/** Writes the changelog as one HTML file. */

import type { Changelog, ChangelogEntry } from './changelog.ts'
import {
  buildEntryOutline,
  countsSentence,
  type VisibleBreak,
  type VisibleList,
} from './changelog-outline.ts'
import { htmlPage } from './html.ts'
import { escapeMarkup, visibleLine } from './report-text.ts'

const styles = `
.major{color:var(--red)}.minor{color:var(--amber)}.patch{color:var(--muted)}
article ul{margin:4px 0;padding-left:20px}article li{margin:2px 0}
`

export function htmlChangelog({ title, entries, older }: Changelog): string {
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
export function entryHtml(entry: ChangelogEntry): string {
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
