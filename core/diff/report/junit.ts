/** JUnit XML, as test reporters read it: a suite a tool, a case a change; what the run fails for is a failure. */
import { byTool, fails, fragment, oneLine, type ReportInput, verdictLine, witnessLine } from './format.ts'
import { escapeMarkup } from './markup.ts'

export function junitReport({ a, b, report, failOn }: ReportInput): string {
  const failing = report.changes.filter(change => fails(change, failOn)).length
  const name = `${oneLine(a)} → ${oneLine(b)}`
  const lines = [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="${escapeMarkup(name)}" tests="${report.changes.length}" failures="${failing}">`,
  ]
  for (const [tool, changes] of byTool(report.changes)) {
    const failures = changes.filter(change => fails(change, failOn)).length
    lines.push(
      `  <testsuite name="${escapeMarkup(oneLine(tool) || 'manifest')}" tests="${changes.length}" failures="${failures}">`,
    )
    for (const change of changes) {
      const title = `${change.direction}${change.path === '' ? '' : ` ${change.path}`}: ${change.message} (${change.fingerprint})`
      const detail = [
        verdictLine(change),
        witnessLine(change),
        change.witness && fragment(change.witness.value),
        ...(change.cues ?? []),
      ]
      const body = escapeMarkup(detail.flatMap(line => (line ? [line] : [])).join('\n'))
      const open = `    <testcase classname="${escapeMarkup(change.rule)}" name="${escapeMarkup(oneLine(title))}">`
      lines.push(
        fails(change, failOn)
          ? `${open}<failure type="${change.severity}" message="${escapeMarkup(oneLine(change.message))}">${body}</failure></testcase>`
          : `${open}<system-out>${body}</system-out></testcase>`,
      )
    }
    lines.push('  </testsuite>')
  }
  return `${[...lines, '</testsuites>'].join('\n')}\n`
}
