/** Compares pairs of manifests and counts what is found. */
import type { DiffSide } from '../../core/diff/change.ts'
import { diffManifests } from '../../core/diff/diff-manifests.ts'

export interface Pair {
  readonly name: string
  readonly before: DiffSide
  readonly after: DiffSide
}

export interface Row {
  readonly name: string
  readonly milliseconds: number
  /** Of the processor: what an idle core would need. */
  readonly processorMs: number
  readonly breaking: number
  readonly dangerous: number
  readonly warning: number
  readonly info: number
  readonly proved: number
  readonly undecided: number
  /** Breaking by a schema and shown by no value: there should be none. */
  readonly withoutWitness: number
}

export async function measure(pairs: readonly Pair[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const { name, before, after } of pairs) {
    const started = performance.now()
    const used = process.cpuUsage()
    const { changes, counts, proved, undecided } = await diffManifests(before, after)
    const milliseconds = Math.round(performance.now() - started)
    const { user, system } = process.cpuUsage(used)
    const processorMs = Math.round((user + system) / 1_000)
    const withoutWitness = changes.filter(
      ({ severity, strict, witness }) => severity === 'breaking' && strict !== undefined && !witness,
    ).length
    rows.push({ name, milliseconds, processorMs, ...counts, proved, undecided, withoutWitness })
  }
  return rows
}
