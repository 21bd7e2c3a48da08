/** The report as one HTML file. */

import type { Change } from '../diff/change.ts'
import { detailsOf, fragment, outline, type ReportInput } from './diff-format.ts'
import { htmlPage } from './html.ts'
import { escapeMarkup, oneLine } from './text.ts'

export function htmlReport(input: ReportInput): string {
  const { verdict, more, counts, groups, ignored } = outline(input)
  const sections = groups.map(
    ([tool, changes]) =>
      `<section><h2>${tool === '' ? 'The manifest' : `<code>${escapeMarkup(oneLine(tool))}</code>`}</h2>\n${changes.map(one).join('\n')}</section>`,
  )
  const remarks = ignored ? [`<p class="muted">${ignored}</p>`] : []
  return htmlPage(`${input.a} → ${input.b}`, [
    `<p><b>${verdict}</b> ${more.join(' ')}</p>`,
    `<p class="muted">${counts}</p>`,
    ...sections,
    ...remarks,
  ])
}

function one(change: Change): string {
  const { severity, direction, path, message, fingerprint, ...details } = detailsOf(change)
  const { mark, verdict, refused, notes, cues, tools, witness } = details
  const place = path === '' ? '' : ` <code>${escapeMarkup(oneLine(path))}</code>`
  const parts = [
    `<p><b class="${severity}">${mark} ${severity}</b> <span class="muted">${direction}</span>${place} ${escapeMarkup(oneLine(message))} <code class="muted">id ${fingerprint}</code></p>`,
  ]
  if (verdict !== undefined) parts.push(`<p class="muted">${escapeMarkup(oneLine(verdict))}</p>`)
  if (witness && refused !== undefined)
    parts.push(
      `<div class="witness"><p>${escapeMarkup(oneLine(refused))}</p><pre>${escapeMarkup(fragment(witness.value))}</pre></div>`,
    )
  for (const note of notes) parts.push(`<p class="muted">${escapeMarkup(oneLine(note))}</p>`)
  if (cues.length > 0)
    parts.push(
      `<ul class="cues">${cues.map(cue => `<li>▲ ${escapeMarkup(oneLine(cue))}</li>`).join('')}</ul>`,
    )
  if (change.words) parts.push(`<p class="words">${wordRuns(change.words)}</p>`)
  else parts.push(...fragments(change))
  if (tools)
    parts.push(
      `<p class="muted">${tools.map(tool => `<code>${escapeMarkup(oneLine(tool))}</code>`).join(', ')}</p>`,
    )
  return `<article>${parts.join('\n')}</article>`
}

function wordRuns(words: NonNullable<Change['words']>): string {
  const tags = { same: 'span', added: 'ins', removed: 'del' } as const
  return words.map(({ kind, text }) => `<${tags[kind]}>${escapeMarkup(text)}</${tags[kind]}>`).join('')
}

function fragments({ before, after }: Change): string[] {
  if (before === undefined && after === undefined) return []
  const column = (label: string, value: unknown) =>
    value === undefined
      ? `<div><h3>${label}</h3><p class="muted">none</p></div>`
      : `<div><h3>${label}</h3><pre>${escapeMarkup(fragment(value))}</pre></div>`
  return [
    `<details><summary>Before and after</summary><div class="sides">${column('Before', before)}${column('After', after)}</div></details>`,
  ]
}
