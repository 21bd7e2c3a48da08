/** The report of `toolscope lint`, in each format. */

import type { LintClient, LintFinding, LintSeverity } from '../lint/lint-finding.ts'
import { lintRules } from '../lint/rules.ts'
import { groupBy } from '../lists.ts'
import { fingerprint } from '../text/fingerprint.ts'
import { plainJson, plainLine } from '../text/plain-text.ts'
import { counted, shorten } from '../text/wording.ts'
import type { Tool } from '../tool/tool.ts'
import { type RuleSummary, summarizeFindings } from './lint-report.ts'
import { type TextStyle, visibleLine } from './report-text.ts'
import { type FindingsReport, junitXml, type ReportFinding, serviceRenderers } from './services.ts'

export type LintBar = 'error' | 'warning' | 'never'

export interface LintInput {
  readonly output: unknown
  /** The requested clients; empty for cues. */
  readonly clients: readonly LintClient[]
  readonly tools: readonly Pick<Tool, 'ref' | 'source'>[]
  readonly findings: readonly LintFinding[]
  readonly failOn: LintBar
  /** Whether the text has every finding instead of a line for each rule. */
  readonly isComplete: boolean
  /** The file that names a source, or its label. */
  readonly fileOf: (source: string) => string
  readonly version: string
}

/** Returns whether the command fails for findings of this severity. */
export function lintFails(severity: LintSeverity, failOn: LintBar): boolean {
  return failOn !== 'never' && (severity === 'error' || severity === failOn)
}

export const lintRenderers = {
  text: (input: LintInput, style: TextStyle) =>
    input.isComplete ? completeText(input, style) : summaryText(input, style),
  json: ({ output }: LintInput) => `${plainJson(output)}\n`,
  junit: junitReport,
  ...serviceRenderers(toFindings),
}

const colours: Record<LintSeverity, number> = { error: 31, warning: 33, info: 36 }

function severityWord(severity: LintSeverity, { colour }: TextStyle): string {
  const word = severity.padEnd(7)
  return colour ? `\u001b[${colours[severity]}m${word}\u001b[0m` : word
}

/** Maximum rules on a screen of 24 lines, which also shows the counts and a hint. */
const maxRules = 18

/** Returns a line for each rule. */
function summaryText({ findings, tools, clients }: LintInput, style: TextStyle): string {
  const { rules } = summarizeFindings(findings, tools.length)
  const listed = rules.slice(0, maxRules)
  const width = Math.max(0, ...listed.map(({ rule }) => rule.length))
  const line = ({ rule, severity, tools: inTools, title }: RuleSummary) => {
    const start = `${rule.padEnd(width)}  ${counted(inTools, 'tool').padStart(9)}`
    const room = (style.columns ?? Number.POSITIVE_INFINITY) - start.length - 12
    return `${severityWord(severity, style)}  ${start}  ${shorten(plainLine(title), Math.max(20, room))}`
  }
  const lines = listed.map(line)
  if (rules.length > maxRules) lines.push(`… and ${counted(rules.length - maxRules, 'rule')} more`)
  const more = [
    ...(findings.length > 0 ? ['--all lists every finding with what to do'] : []),
    ...(clients.length > 0 ? ['--client names other clients'] : []),
  ]
  return `${[...lines, ...(lines.length > 0 ? [''] : []), countsLine(findings, tools.length, clients), `${more.join('; ')}.`].join('\n')}\n`
}

/** Returns each finding with its remedy, tool by tool. */
function completeText({ findings, tools, clients }: LintInput, style: TextStyle): string {
  const lines: string[] = []
  for (const [ref, found] of groupBy(findings, finding => finding.ref)) {
    lines.push(plainLine(ref ?? 'The catalog'))
    for (const { severity, rule, clients: concerned, message, remedy, path } of found) {
      const named = concerned.length === 0 ? '' : `  (${concerned.join(', ')})`
      lines.push(`  ${severityWord(severity, style)}  ${rule}${named}`)
      lines.push(`           ${plainLine(path === '' ? message : `${path}: ${message}`)}`)
      lines.push(`           ${remedy}`)
    }
    lines.push('')
  }
  return `${[...lines, countsLine(findings, tools.length, clients)].join('\n')}\n`
}

/** Returns `2 errors, 3 warnings and 1 info in 16 tools, for mcp`. */
function countsLine(findings: readonly LintFinding[], tools: number, clients: readonly LintClient[]): string {
  const { error, warning, info } = summarizeFindings(findings, tools).counts
  const checked = clients.length === 0 ? '' : `, for ${clients.join(', ')}`
  return `${counted(error, 'error')}, ${counted(warning, 'warning')} and ${info} info in ${counted(tools, 'tool')}${checked}`
}

/** Writes a suite for each source and a case for each tool, which fails if one of its findings does. */
function junitReport({ findings, tools, failOn }: LintInput): string {
  const byTool = groupBy(findings, finding => finding.ref ?? '')
  const buildTestCase = (name: string, source: string) => {
    const found = byTool.get(name) ?? []
    const failing = found.filter(({ severity }) => lintFails(severity, failOn))
    const body = found.map(({ severity, rule, path, message, remedy }) =>
      visibleLine(`${severity} ${rule} ${path}: ${message}. ${remedy}`),
    )
    return {
      className: source,
      name: name === '' ? 'the catalog' : name,
      outcome: failing.length > 0 ? ('failed' as const) : ('passed' as const),
      type: failing[0]?.rule ?? '',
      message:
        failing.length > 1
          ? `${failing[0]?.message} (and ${failing.length - 1} more)`
          : (failing[0]?.message ?? ''),
      ...(body.length > 0 ? { body: body.join('\n') } : {}),
    }
  }
  const suites = [...groupBy(tools, ({ source }) => source)].map(([source, own]) => ({
    name: source,
    cases: own.map(({ ref }) => buildTestCase(ref, source)),
  }))
  const catalog = byTool.has('') ? [{ name: 'the catalog', cases: [buildTestCase('', 'catalog')] }] : []
  return junitXml('toolscope lint', [...catalog, ...suites])
}

const levels: Record<LintSeverity, ReportFinding['level']> = {
  error: 'error',
  warning: 'warning',
  info: 'note',
}

function toFindings({ findings, tools, clients, fileOf, version }: LintInput): FindingsReport {
  const sources = new Map(tools.map(({ ref, source }) => [ref, source]))
  return {
    title: 'toolscope lint',
    version,
    summary: countsLine(findings, tools.length, clients),
    findings: findings.map(({ rule, severity, ref, path, message, remedy }) => ({
      rule,
      level: levels[severity],
      subject: ref ?? 'the catalog',
      path,
      message,
      details: [remedy],
      fingerprint: fingerprint([rule, ref, path, message]),
      file: fileOf(sources.get(ref ?? '') ?? ''),
    })),
    ruleText: id => {
      const rule = lintRules.find(each => each.id === id)
      return {
        title: rule?.title ?? 'A text does what a description should not.',
        source: Object.values(rule?.sources ?? {})[0],
      }
    },
  }
}
