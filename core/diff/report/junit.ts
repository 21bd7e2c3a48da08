/** JUnit XML, as test reporters read it: a suite a tool, a case a change; what the run fails for is a failure. */
import { byTool, fails, fragment, oneLine, type ReportInput, verdictLine, witnessLine } from './format.ts'
import { type JunitCase, junitXml } from './junit-xml.ts'

export function junitReport({ a, b, report, failOn }: ReportInput): string {
  const suites = [...byTool(report.changes)].map(([tool, changes]) => ({
    name: oneLine(tool) || 'manifest',
    cases: changes.map((change): JunitCase => {
      const detail = [
        verdictLine(change),
        witnessLine(change),
        change.witness && fragment(change.witness.value),
        ...(change.cues ?? []),
      ]
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
