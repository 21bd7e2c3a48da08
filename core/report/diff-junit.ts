/** The changes as JUnit XML: a suite for each tool, a case for each change. */

import { byTool, detailsOf, fails, fragment, type ReportInput } from './diff-format.ts'
import { type JunitCase, junitXml } from './junit.ts'
import { oneLine } from './text.ts'

export function junitReport({ a, b, report, failOn }: ReportInput): string {
  const suites = [...byTool(report.changes)].map(([tool, changes]) => ({
    name: oneLine(tool) || 'manifest',
    cases: changes.map((change): JunitCase => {
      const { verdict, refused, witness, cues } = detailsOf(change)
      const lines = [verdict, refused].map(line => line && oneLine(line))
      const detail = [...lines, witness && fragment(witness.value), ...cues.map(oneLine)]
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
  return junitXml(`${oneLine(a)} → ${oneLine(b)}`, suites)
}
