/** The changes as findings, for the formats that services read. */

import type { Change, Severity } from '../diff/change.ts'
import { ruleCatalogue } from '../diff/rules/schema-rules.ts'
import { detailLines, type ReportInput } from './diff-format.ts'
import { summarySentences } from './diff-summary.ts'
import type { FindingsReport, ReportFinding } from './finding.ts'
import { oneLine } from './text.ts'

const levels: Record<Severity, ReportFinding['level']> = {
  breaking: 'error',
  dangerous: 'error',
  warning: 'warning',
  info: 'note',
}

export function diffFindings({ a, b, report, version }: ReportInput): FindingsReport {
  const file = fileOf(b)
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
    summary: `${oneLine(a)} → ${oneLine(b)}: ${summarySentences(report).join(' ')}`,
    findings: [
      ...report.changes.map(finding),
      ...report.ignored.map(change => ({ ...finding(change), isIgnored: true })),
    ],
    ruleText: id => ({ title: ruleCatalogue[id] ?? id }),
  }
}

/** A path as it is; `git:REV:path` by its path. */
function fileOf(label: string): string {
  return (/^git:[^:]*:(.+)$/s.exec(label)?.[1] ?? label).replace(/^\.\//, '')
}
