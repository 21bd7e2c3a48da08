import { fails, type ReportInput } from './format.ts'
import type { JsonReport } from './shape.ts'

/** The report as data, of the published shape. */
export function jsonReport({ a, b, report, failOn }: ReportInput): JsonReport {
  const { counts, proved, undecided, compared, changes, ignored } = report
  const failed = changes.some(change => fails(change, failOn))
  // A readonly report is as good as any: nothing is changed by printing it.
  return {
    a,
    b,
    failOn,
    failed,
    counts: { ...counts },
    proved,
    undecided,
    compared,
    changes,
    ignored,
  } as JsonReport
}
