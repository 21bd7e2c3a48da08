/** Lists calls by filters, text and time, newest first, page by page. */
import { setImmediate } from 'node:timers/promises'
import type { HistoryPage, StoredInvocation, ToolStats } from '../../core/api/history.ts'
import { deleteSeqs, getSummaries, getWhole } from './invocations.ts'
import type { Store } from './store.ts'
import { seqAt } from './tables.ts'
import {
  type CallFilters,
  callRows,
  findSeqs,
  newestSeqs,
  type SeqRange,
  toHashKey,
  wordQuery,
} from './word-search.ts'

const lastSeq = Number.MAX_SAFE_INTEGER
/** Rows that are deleted or read at a time. */
const chunkSize = 200

type InvocationRange = Omit<SeqRange, 'limit'>

/** Returns a page of at most `limit` calls. An unknown cursor starts at the newest. */
export async function listInvocations(
  store: Store,
  filters: CallFilters,
  { limit, cursor }: { limit: number; cursor?: string | undefined },
): Promise<HistoryPage> {
  const seqs = await listSeqs(store, filters, toSeqRange(filters, cursor), limit + 1)
  const page = seqs.slice(0, limit)
  const invocations = await getSummaries(store, page)
  const last = page.at(-1)
  return seqs.length > limit && last !== undefined
    ? { invocations, nextCursor: String(last) }
    : { invocations }
}

/**
 * Yields every call with its bodies, newest first; loads one chunk at a time.
 *
 * @param onDamaged called with the id of each call that cannot be decoded and is left out
 */
export async function* eachInvocation(
  store: Store,
  filters: CallFilters,
  onDamaged: (id: string) => void = () => {},
): AsyncGenerator<StoredInvocation> {
  for await (const seqs of chunks(store, filters)) yield* await getWhole(store, seqs, onDamaged)
}

/** Deletes the calls that match; pinned ones only with `includePinned`. Resolves to the number of deleted calls. */
export async function clearInvocations(
  store: Store,
  filters: CallFilters,
  includePinned: boolean,
): Promise<number> {
  let deleted = 0
  for await (const seqs of chunks(store, filters)) {
    const chosen = includePinned ? seqs : await unpinned(store, seqs)
    deleted += await deleteSeqs(store, chosen)
  }
  return deleted
}

async function* chunks(store: Store, filters: CallFilters): AsyncGenerator<number[]> {
  let range = toSeqRange(filters, undefined)
  for (;;) {
    const seqs = await listSeqs(store, filters, range, chunkSize)
    if (seqs.length > 0) yield seqs
    const last = seqs.at(-1)
    if (last === undefined || seqs.length < chunkSize) return
    range = { ...range, before: last }
    // SQLite runs on this thread: let other work run between chunks.
    await setImmediate()
  }
}

async function listSeqs(
  store: Store,
  filters: CallFilters,
  range: InvocationRange,
  limit: number,
): Promise<number[]> {
  const words = wordQuery(filters)
  return words === null ? newestSeqs(store, { ...range, limit }) : findSeqs(store, words, { ...range, limit })
}

async function unpinned(store: Store, seqs: readonly number[]): Promise<number[]> {
  const rows = await callRows(store).select('seq').where('seq', 'in', seqs).where('pinned', '=', 0).execute()
  return rows.map(row => row.seq)
}

function toSeqRange({ since, until }: CallFilters, cursor: string | undefined): InvocationRange {
  const before = until === undefined ? lastSeq : seqAt(until)
  const after = cursor !== undefined && /^\d{1,16}$/.test(cursor) ? Number(cursor) : lastSeq
  return { from: since === undefined ? 0 : seqAt(since), before: Math.min(before, after) }
}

/** The newest calls that are counted, which limits the cost. */
const maxCalls = 5_000
const recentCount = 60

/** Counts and durations of a tool's newest calls. */
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
