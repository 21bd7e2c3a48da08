/** GitLab's Code Quality report (https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format). */
import { plainJson } from '../text/plain-text.ts'
import type { FindingsReport, ReportFinding } from './finding.ts'
import { oneLine } from './text.ts'

const severities: Record<ReportFinding['level'], string> = {
  error: 'critical',
  warning: 'minor',
  note: 'info',
}

/** JSON text. Ignored findings are left out: the report has no place for them. */
export function gitlabReport({ findings }: FindingsReport): string {
  const entries = findings
    .filter(({ isIgnored }) => isIgnored !== true)
    .map(({ rule, level, subject, message, details, fingerprint, file }) => ({
      description: oneLine(`${subject}: ${[message, ...details].join('. ')}`),
      check_name: rule,
      fingerprint,
      severity: severities[level],
      // A line would be a guess, and the service demands one.
      location: { path: file, lines: { begin: 1 } },
    }))
  return `${plainJson(entries)}\n`
}
