/** Counts and durations of a tool's newest calls. */
import type { ToolStats } from '../../core/api/history.ts'
import { getSummaries } from './invocations.ts'
import type { Store } from './store.ts'
import { callRows, toHashKey } from './word-search.ts'

/** The newest calls that are counted, which limits the cost. */
const maxCalls = 5_000
const recentCount = 60

export async function toolStats(store: Store, ref: string): Promise<ToolStats> {
  const rows = await callRows(store)
    .select(['seq', 'outcome', 'output_verdict', 'duration_ms'])
    .where('tool_key', '=', toHashKey(ref))
    .where('outcome', '<>', 'unfinished')
    .orderBy('seq', 'desc')
    .limit(maxCalls + 1)
    .execute()
  const counted = rows.slice(0, maxCalls)
  const durations = counted.map(row => row.duration_ms).sort((a, b) => a - b)
  const newest = counted.slice(0, recentCount).map(row => row.seq)
  const recent = (await getSummaries(store, newest))
    .toReversed()
    .map(({ id, startedAt, durationMs, outcome, verdict }) => ({
      id,
      startedAt,
      durationMs,
      outcome,
      verdict,
    }))
  const last = recent.at(-1)
  return {
    ref,
    calls: counted.length,
    more: rows.length > maxCalls,
    failures: counted.filter(row => row.outcome !== 'ok').length,
    outputViolations: counted.filter(row => row.output_verdict === 'invalid').length,
    ...(last === undefined
      ? {}
      : { p50Ms: percentile(durations, 0.5), p95Ms: percentile(durations, 0.95), lastAt: last.startedAt }),
    recent,
  }
}

/** Nearest rank, so the result is a measured duration. `sorted` must not be empty. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}
