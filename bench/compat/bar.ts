/** What a run must reach. */
import type { Report } from './run-pairs.ts'

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
