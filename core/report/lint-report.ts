/** Groups findings by rule, for the page and for the command's summary. */

import { type LintClient, type LintFinding, type LintSeverity, lintSeverities } from '../lint/lint-finding.ts'
import { lintRules } from '../lint/rules.ts'
import { groupBy } from '../lists.ts'

export interface RuleSummary {
  readonly rule: string
  readonly title: string
  readonly severity: LintSeverity
  readonly clients: readonly LintClient[]
  /** The documentation of the first client for this rule; absent for a cue. */
  readonly source?: string
  readonly count: number
  /** The number of tools with such a finding. */
  readonly tools: number
  /** The first 50. */
  readonly findings: readonly LintFinding[]
}

export interface LintSummary {
  readonly counts: Readonly<Record<LintSeverity, number>>
  readonly toolCount: number
  /** Rules with findings: the worst first, then by number of tools. */
  readonly rules: readonly RuleSummary[]
}

const maxFindings = 50

export function countFindings(findings: readonly LintFinding[]): LintSummary['counts'] {
  const counts = { error: 0, warning: 0, info: 0 }
  for (const { severity } of findings) counts[severity] += 1
  return counts
}

export function summarizeFindings(findings: readonly LintFinding[], toolCount: number): LintSummary {
  const summaries = [...groupBy(findings, finding => finding.rule)].flatMap(([id, found]): RuleSummary[] => {
    const [first] = found
    if (first === undefined) return []
    const rule = lintRules.find(each => each.id === id)
    const source = first.clients.map(client => rule?.sources[client]).find(url => url !== undefined)
    return [
      {
        rule: id,
        title: rule?.title ?? first.message,
        severity: first.severity,
        clients: first.clients,
        ...(source === undefined ? {} : { source }),
        count: found.length,
        tools: new Set(found.map(({ ref }) => ref)).size,
        findings: found.slice(0, maxFindings),
      },
    ]
  })
  summaries.sort(
    (a, b) => lintSeverities.indexOf(a.severity) - lintSeverities.indexOf(b.severity) || b.tools - a.tools,
  )
  return { counts: countFindings(findings), toolCount, rules: summaries }
}
