/** The report for people. */
import { stringify } from 'lossless-json'
import type { Finding, Report } from './run-pairs.ts'

export function printTable(report: Report, failures: readonly string[]): void {
  for (const [name, value] of Object.entries(report))
    if (!Array.isArray(value)) console.log(`${name.padEnd(24)}${value}`)
  printFindings('Against their label', report.wrongPairs)
  printFindings('Witness confirmed by neither validator', report.unconfirmed)
  printFindings('Witness on which the validators disagree', report.disputedPairs)
  printFindings('Unknown', report.unknownPairs)
  printFindings('Not a schema of its dialect', report.invalidPairs)
  console.log(failures.length === 0 ? '\nThe bar is reached.' : `\nBelow the bar: ${failures.join('; ')}`)
}

function printFindings(title: string, findings: readonly Finding[]): void {
  if (findings.length === 0) return
  console.log(`\n${title} (${findings.length})`)
  for (const { id, verdict, expected, witness, reason, note } of findings) {
    const parts = [
      `  ${id}: ${verdict}`,
      expected === undefined ? '' : `label ${expected}`,
      witness === undefined ? '' : `witness ${stringify(witness)?.slice(0, 300)}`,
      reason ?? '',
      note ?? '',
    ]
    console.log(parts.filter(part => part !== '').join(' · '))
  }
}
