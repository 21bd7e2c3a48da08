/** The formats of a comparison's report, each with its writer. */

import type { Change, Severity } from '../diff/change.ts'
import { ruleCatalogue } from '../diff/rules/schema-rules.ts'
import { plainJson } from '../text/plain-text.ts'
import {
  byTool,
  describeChange,
  detailLines,
  fails,
  fragment,
  outline,
  type ReportInput,
} from './diff-format.ts'
import { jsonReport } from './diff-json.ts'
import { markdownReport } from './diff-markdown.ts'
import { summarySentences } from './diff-summary.ts'
import { textReport } from './diff-text.ts'
import { escapeMarkup, htmlPage, visibleLine } from './report-text.ts'
import {
  type FindingsReport,
  type JunitCase,
  junitXml,
  type ReportFinding,
  serviceRenderers,
} from './services.ts'

/* Writes the report as one HTML file. */

function htmlReport(input: ReportInput): string {
  const { verdict, more, counts, groups, ignored } = outline(input)
  const sections = groups.map(
    ([tool, changes]) =>
      `<section><h2>${tool === '' ? 'The manifest' : `<code>${escapeMarkup(visibleLine(tool))}</code>`}</h2>\n${changes.map(one).join('\n')}</section>`,
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
  const { severity, direction, path, message, fingerprint, ...details } = describeChange(change)
  const { mark, verdict, refused, notes, cues, tools, witness } = details
  const pathHtml = path === '' ? '' : ` <code>${escapeMarkup(visibleLine(path))}</code>`
  const parts = [
    `<p><b class="${severity}">${mark} ${severity}</b> <span class="muted">${direction}</span>${pathHtml} ${escapeMarkup(visibleLine(message))} <code class="muted">id ${fingerprint}</code></p>`,
  ]
  if (verdict !== undefined) parts.push(`<p class="muted">${escapeMarkup(visibleLine(verdict))}</p>`)
  if (witness && refused !== undefined)
    parts.push(
      `<div class="witness"><p>${escapeMarkup(visibleLine(refused))}</p><pre>${escapeMarkup(fragment(witness.value))}</pre></div>`,
    )
  for (const note of notes) parts.push(`<p class="muted">${escapeMarkup(visibleLine(note))}</p>`)
  if (cues.length > 0)
    parts.push(
      `<ul class="cues">${cues.map(cue => `<li>▲ ${escapeMarkup(visibleLine(cue))}</li>`).join('')}</ul>`,
    )
  if (change.words) parts.push(`<p class="words">${wordRuns(change.words)}</p>`)
  else parts.push(...fragments(change))
  if (tools)
    parts.push(
      `<p class="muted">${tools.map(tool => `<code>${escapeMarkup(visibleLine(tool))}</code>`).join(', ')}</p>`,
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

/* Converts the changes to findings, for the formats that services read. */

const levels: Record<Severity, ReportFinding['level']> = {
  breaking: 'error',
  dangerous: 'error',
  warning: 'warning',
  info: 'note',
}

function diffFindings({ a, b, report, version }: ReportInput): FindingsReport {
  const file = toFilePath(b)
  const finding = (change: Change): ReportFinding => {
    const { rule, severity, tool, tools, path, message, fingerprint, direction, strict, declared } = change
    return {
      rule,
      level: levels[severity],
      subject: tool ?? (tools ? `${tools.length} tools` : 'the manifest'),
      path,
      message,
      details: detailLines(change),
      fingerprint,
      file,
      properties: { severity, direction, strict, declared },
    }
  }
  return {
    title: 'toolscope diff',
    version,
    summary: `${visibleLine(a)} → ${visibleLine(b)}: ${summarySentences(report).join(' ')}`,
    findings: [
      ...report.changes.map(finding),
      ...report.ignored.map(change => ({ ...finding(change), isIgnored: true })),
    ],
    ruleText: id => ({ title: ruleCatalogue[id] ?? id }),
  }
}

/** Returns a path as it is, and `git:REV:path` as its path. */
function toFilePath(label: string): string {
  return (/^git:[^:]*:(.+)$/s.exec(label)?.[1] ?? label).replace(/^\.\//, '')
}

/* Writes the changes as JUnit XML: a suite for each tool, a case for each change. */

function junitReport({ a, b, report, failOn }: ReportInput): string {
  const suites = [...byTool(report.changes)].map(([tool, changes]) => ({
    name: visibleLine(tool) || 'manifest',
    cases: changes.map((change): JunitCase => {
      const { verdict, refused, witness, cues } = describeChange(change)
      const lines = [verdict, refused].map(line => line && visibleLine(line))
      const detail = [...lines, witness && fragment(witness.value), ...cues.map(visibleLine)]
      return {
        className: change.rule,
        name: `${change.direction}${change.path === '' ? '' : ` ${change.path}`}: ${change.message} (${change.fingerprint})`,
        outcome: fails(change, failOn) ? 'failed' : 'passed',
        type: change.severity,
        message: change.message,
        body: detail.flatMap(line => (line ? [line] : [])).join('\n'),
      }
    }),
  }))
  return junitXml(`${visibleLine(a)} → ${visibleLine(b)}`, suites)
}

export const diffRenderers = {
  text: textReport,
  json: (input: ReportInput) => `${plainJson(jsonReport(input))}\n`,
  markdown: markdownReport,
  html: htmlReport,
  junit: junitReport,
  ...serviceRenderers(diffFindings),
}

export type DiffFormat = keyof typeof diffRenderers

export const diffFormats = Object.keys(diffRenderers) as readonly DiffFormat[]
