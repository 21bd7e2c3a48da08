/** Merges the comparisons of several sources into one report. */
import type { DiffReport, Severity } from './change.ts'
import { severities } from './severity.ts'

export interface SourceReport {
  readonly source: string
  readonly report: DiffReport
}

/** Sorts the worst first. With several sources, the source's name precedes each tool's name: `acme/greet`. */
export function mergeReports(parts: readonly SourceReport[]): DiffReport {
  const [only] = parts
  if (only !== undefined && parts.length === 1) return only.report
  const named = (key: 'changes' | 'ignored') =>
    parts.flatMap(({ source, report }) =>
      report[key].map(change => ({
        ...change,
        tool: change.tool === undefined ? source : `${source}/${change.tool}`,
      })),
    )
  const sum = (of: (report: DiffReport) => number) =>
    parts.reduce((total, { report }) => total + of(report), 0)
  const counts: Record<Severity, number> = { breaking: 0, dangerous: 0, warning: 0, info: 0 }
  for (const severity of severities) counts[severity] = sum(report => report.counts[severity])
  return {
    changes: named('changes').toSorted(
      (a, b) => severities.indexOf(a.severity) - severities.indexOf(b.severity),
    ),
    ignored: named('ignored'),
    unusedIgnores: (parts[0]?.report.unusedIgnores ?? []).filter(fingerprint =>
      parts.every(({ report }) => report.unusedIgnores.includes(fingerprint)),
    ),
    lowered: parts.reduce((sum, { report }) => sum + report.lowered, 0),
    switchedOff: sumByRule(parts.map(({ report }) => report.switchedOff)),
    counts,
    proved: sum(report => report.proved),
    undecided: sum(report => report.undecided),
    compared: sum(report => report.compared),
    strict: parts.some(({ report }) => report.strict),
  }
}

function sumByRule(all: readonly DiffReport['switchedOff'][]): DiffReport['switchedOff'] {
  const sums: Record<string, number> = {}
  for (const [rule, count] of all.flatMap(Object.entries<number>)) sums[rule] = (sums[rule] ?? 0) + count
  return sums
}
