/** The report as one HTML file: no script, nothing loaded, every text of the manifests escaped. */

import { escapeMarkup, oneLine } from '../../report/text.ts'
import type { Change } from '../change.ts'
import { detailsOf, fragment, outline, type ReportInput } from './format.ts'

export function htmlReport(input: ReportInput): string {
  const title = escapeMarkup(`${oneLine(input.a)} → ${oneLine(input.b)}`)
  const { verdict, more, counts, groups, ignored } = outline(input)
  const sections = groups.map(
    ([tool, changes]) =>
      `<section><h2>${tool === '' ? 'The manifest' : `<code>${escapeMarkup(oneLine(tool))}</code>`}</h2>\n${changes.map(one).join('\n')}</section>`,
  )
  const remarks = ignored ? [`<p class="muted">${ignored}</p>`] : []
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
<p><b>${verdict}</b> ${more.join(' ')}</p>
<p class="muted">${counts}</p>
${[...sections, ...remarks].join('\n')}
</main>
</body>
</html>
`
}

function one(change: Change): string {
  const { severity, direction, path, message, fingerprint, ...details } = detailsOf(change)
  const { mark, verdict, refused, cues, tools, witness } = details
  const place = path === '' ? '' : ` <code>${escapeMarkup(oneLine(path))}</code>`
  const parts = [
    `<p><b class="${severity}">${mark} ${severity}</b> <span class="muted">${direction}</span>${place} ${escapeMarkup(oneLine(message))} <code class="muted">${fingerprint}</code></p>`,
  ]
  if (verdict !== undefined) parts.push(`<p class="muted">${escapeMarkup(oneLine(verdict))}</p>`)
  if (witness && refused !== undefined)
    parts.push(
      `<div class="witness"><p>${escapeMarkup(oneLine(refused))}</p><pre>${escapeMarkup(fragment(witness.value))}</pre></div>`,
    )
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

/** Dark and light. */
const htmlStyle = `
:root{--ground:#fff;--text:#1c1f24;--muted:#5b626d;--line:#d8dce2;--red:#b3261e;--violet:#7a2fb0;--amber:#8a5a00;--green:#1a6b3a}
@media (prefers-color-scheme:dark){:root{--ground:#14161a;--text:#e6e8ec;--muted:#9aa2ae;--line:#30353d;--red:#ff8a80;--violet:#d3a3ff;--amber:#f0c36d;--green:#7fd6a2}}
body{margin:0;background:var(--ground);color:var(--text);font:14px/1.5 system-ui,sans-serif}
main{max-width:1000px;margin:0 auto;padding:16px}
h1{font-size:18px;overflow-wrap:anywhere}h2{font-size:15px;margin:24px 0 8px}h3{font-size:12px;margin:0;color:var(--muted)}
article{border:1px solid var(--line);border-radius:6px;padding:8px 12px;margin:8px 0;overflow-wrap:anywhere}
p{margin:4px 0}code,pre{font-family:ui-monospace,monospace;font-size:12px}
pre{white-space:pre-wrap;margin:4px 0;max-height:400px;overflow:auto}
.muted{color:var(--muted)}.breaking{color:var(--red)}.dangerous{color:var(--violet)}.warning{color:var(--amber)}.info{color:var(--muted)}
.witness{border-left:3px solid var(--red);padding-left:8px}.cues{margin:4px 0;padding:0;list-style:none;color:var(--violet)}
.words{white-space:pre-wrap}ins{color:var(--green)}del{color:var(--red)}
.sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(260px,1fr));gap:12px}
`
