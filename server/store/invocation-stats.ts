/** How a tool has done: counts and durations over its newest calls. */
import type { ToolStats } from '../../core/api/history.ts'
import { summaryOf } from './invocations.ts'
import type { Store } from './store.ts'
import { keyOf } from './text-search.ts'

/** However often a tool was called, the answer costs no more than this many rows. */
const MOST_CALLS = 5_000
const RECENT = 60

export async function toolStats(store: Store, ref: string): Promise<ToolStats> {
  const rows = await store
    .database()
    .selectFrom('invocations')
    .select(['seq', 'outcome', 'output_verdict', 'duration_ms'])
    .where('tool_key', '=', keyOf(ref))
    .orderBy('seq', 'desc')
    .limit(MOST_CALLS + 1)
    .execute()
  const counted = rows.slice(0, MOST_CALLS)
  const durations = counted.map(row => row.duration_ms).sort((a, b) => a - b)
  const recent = await recentCalls(
    store,
    counted.slice(0, RECENT).map(row => row.seq),
  )
  const last = recent.at(-1)
  return {
    ref,
    calls: counted.length,
    more: rows.length > MOST_CALLS,
    failures: counted.filter(row => row.outcome !== 'ok').length,
    outputViolations: counted.filter(row => row.output_verdict === 'invalid').length,
    ...(last === undefined
      ? {}
      : { p50Ms: percentile(durations, 0.5), p95Ms: percentile(durations, 0.95), lastAt: last.startedAt }),
    recent,
  }
}

/** Nearest rank: a duration that really occurred. `sorted` holds at least one. */
function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

async function recentCalls(store: Store, seqs: readonly number[]): Promise<ToolStats['recent']> {
  if (seqs.length === 0) return []
  const rows = await store
    .database()
    .selectFrom('invocations')
    .selectAll()
    .where('seq', 'in', seqs)
    .orderBy('seq')
    .execute()
  return rows.map(row => {
    const { id, startedAt, durationMs, outcome, verdict } = summaryOf(row)
    return { id, startedAt, durationMs, outcome, verdict }
  })
}
