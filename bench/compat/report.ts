/** The report for people, and what a run must reach. */
import { stringify } from 'lossless-json'
import type { Finding, Report } from './run-pairs.ts'

/** The sentences that say what is not reached; none when all is well. */
export function barFailures(report: Report): string[] {
  const decided = report.labelled === 0 ? 1 : report.decidedCorrectly / report.labelled
  const allowedUnknown = report.labelled > 0 ? 0.03 : 0.01
  const unknownShare = report.unknown / Math.max(1, report.pairs)
  const rules: [boolean, string][] = [
    [report.pairs > 0, 'there are no pairs'],
    [report.falseProved === 0, `falseProved is ${report.falseProved}, must be 0`],
    [
      report.refutedWithoutWitness === 0,
      `refutedWithoutWitness is ${report.refutedWithoutWitness}, must be 0`,
    ],
    [decided >= 0.97, `${percent(decided)} of the labelled pairs are decided correctly, must be 97%`],
    [
      unknownShare <= allowedUnknown,
      `${percent(unknownShare)} are unknown, may be ${percent(allowedUnknown)}`,
    ],
    [report.p95Ms <= 50, `p95 is ${report.p95Ms} ms, may be 50`],
    [report.maxMs <= 500, `the slowest pair took ${report.maxMs} ms, may be 500`],
  ]
  return rules.filter(([holds]) => !holds).map(([, sentence]) => sentence)
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)}%`
}

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
