/** The report as one HTML file: no script, nothing loaded, every text of the manifests escaped. */
import type { Change } from '../change.ts'
import { byTool, fragment, oneLine, type ReportInput, summary, verdictLine, witnessLine } from './format.ts'
import { htmlStyle } from './html-style.ts'
import { escapeMarkup } from './markup.ts'

const marks = { breaking: '✕', dangerous: '▲', warning: '!', info: '·' } as const

export function htmlReport({ a, b, report }: ReportInput): string {
  const title = escapeMarkup(`${oneLine(a)} → ${oneLine(b)}`)
  const sections = [...byTool(report.changes)].map(
    ([tool, changes]) =>
      `<section><h2>${tool === '' ? 'The manifest' : `<code>${escapeMarkup(tool)}</code>`}</h2>\n${changes.map(one).join('\n')}</section>`,
  )
  const nothing = report.changes.length === 0 ? `<p>No change in ${report.compared} tools.</p>` : ''
  const ignored = report.ignored.length === 0 ? '' : `<p class="muted">${report.ignored.length} ignored.</p>`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${title}</title>
<style>${htmlStyle}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p class="counts">${escapeMarkup(summary(report))}</p>
${[...sections, nothing, ignored].filter(part => part !== '').join('\n')}
</main>
</body>
</html>
`
}

function one(change: Change): string {
  const { severity, direction, path, message, fingerprint, cues = [], tools, witness } = change
  const place = path === '' ? '' : ` <code>${escapeMarkup(path)}</code>`
  const parts = [
    `<p><b class="${severity}">${marks[severity]} ${severity}</b> <span class="muted">${direction}</span>${place} ${escapeMarkup(message)} <code class="muted">${fingerprint}</code></p>`,
  ]
  const verdict = verdictLine(change)
  if (verdict !== undefined) parts.push(`<p class="muted">${escapeMarkup(verdict)}</p>`)
  const refused = witnessLine(change)
  if (witness && refused !== undefined)
    parts.push(
      `<div class="witness"><p>${escapeMarkup(refused)}</p><pre>${escapeMarkup(fragment(witness.value))}</pre></div>`,
    )
  if (cues.length > 0)
    parts.push(`<ul class="cues">${cues.map(cue => `<li>▲ ${escapeMarkup(cue)}</li>`).join('')}</ul>`)
  if (change.words) parts.push(`<p class="words">${wordRuns(change.words)}</p>`)
  else parts.push(...fragments(change))
  if (tools)
    parts.push(`<p class="muted">${tools.map(tool => `<code>${escapeMarkup(tool)}</code>`).join(', ')}</p>`)
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
