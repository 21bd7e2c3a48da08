/** Findings for people: grouped by rule for the page, as text for the terminal. */

import { groupBy } from '../group-by.ts'
import { plainLine } from '../text/plain-text.ts'
import { counted } from '../text/wording.ts'
import { type LintClient, type LintFinding, type LintSeverity, lintSeverities } from './finding.ts'
import type { LintRule } from './rule.ts'

export interface RuleSummary {
  readonly rule: string
  readonly title: string
  readonly severity: LintSeverity
  readonly clients: readonly LintClient[]
  /** Where the first of the clients says so. */
  readonly source: string
  readonly count: number
  /** In how many tools. */
  readonly tools: number
  /** The first 50. */
  readonly findings: readonly LintFinding[]
}

export interface LintSummary {
  readonly counts: Readonly<Record<LintSeverity, number>>
  readonly toolCount: number
  /** Rules that found something, the worst first, then by number of tools. */
  readonly rules: readonly RuleSummary[]
}

const maxShown = 50

export function summarizeFindings(
  findings: readonly LintFinding[],
  rules: readonly LintRule[],
  toolCount: number,
): LintSummary {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity] += 1
  const byRule = groupBy(findings, finding => finding.rule)
  const summaries = rules.flatMap(({ id, title, severity, sources }): RuleSummary[] => {
    const found = byRule.get(id)
    const clients = found?.[0]?.clients
    const source = clients?.map(client => sources[client]).find(url => url !== undefined)
    if (found === undefined || clients === undefined || source === undefined) return []
    const tools = new Set(found.map(finding => finding.ref)).size
    const shown = found.slice(0, maxShown)
    return [{ rule: id, title, severity, clients, source, count: found.length, tools, findings: shown }]
  })
  summaries.sort(
    (a, b) => lintSeverities.indexOf(a.severity) - lintSeverities.indexOf(b.severity) || b.tools - a.tools,
  )
  return { counts, toolCount, rules: summaries }
}

export interface LintReport {
  readonly toolCount: number
  readonly counts: Readonly<Record<LintSeverity, number>>
  readonly findings: readonly (Omit<LintFinding, 'ref' | 'name'> & { readonly ref?: string | undefined })[]
}

/** Tool by tool, each finding with its remedy. */
export function lintText({ findings, counts, toolCount }: LintReport): string {
  const lines: string[] = []
  let tool: string | undefined
  for (const [index, finding] of findings.entries()) {
    if (index === 0 || finding.ref !== tool) {
      tool = finding.ref
      if (index > 0) lines.push('')
      lines.push(plainLine(tool ?? 'The catalog'))
    }
    const { severity, rule, clients, message, remedy, path } = finding
    lines.push(`  ${severity.padEnd(7)}  ${rule}  (${clients.join(', ')})`)
    lines.push(`           ${plainLine(path === '' ? message : `${path}: ${message}`)}`)
    lines.push(`           ${remedy}`)
  }
  if (findings.length > 0) lines.push('')
  const { error, warning, info } = counts
  lines.push(
    `${counted(error, 'error')}, ${counted(warning, 'warning')} and ${counted(info, 'note')} in ${counted(toolCount, 'tool')}`,
  )
  return `${lines.join('\n')}\n`
}
