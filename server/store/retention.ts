/** Thins out history: what is older than it should be, and what is more than it should be. Pinned calls stay. */
import { deleteSeqs } from './invocations.ts'
import { seqAt } from './seq.ts'
import type { Store } from './store.ts'

export interface Retention {
  /** How many calls are kept at most, pinned ones not counted. */
  readonly calls: number
  readonly days: number
}

export const defaultRetention: Retention = { calls: 100_000, days: 90 }

/** Rows of one transaction, and rows of one round: the rest waits for the next. */
const CHUNK = 200
const MOST_A_ROUND = 5_000
const DAY_MS = 86_400_000

/** Resolves to how many calls went. */
export async function thinOut(store: Store, retention: Retention, now = Date.now()): Promise<number> {
  const tooOld = seqAt(now - retention.days * DAY_MS)
  const tooMany = await store
    .database()
    .selectFrom('invocations')
    .select('seq')
    .where('pinned', '=', 0)
    .orderBy('seq', 'desc')
    .offset(retention.calls)
    .limit(1)
    .executeTakeFirst()
  // The row at the offset is the newest that goes.
  const end = Math.max(tooOld, tooMany === undefined ? 0 : tooMany.seq + 1)
  let deleted = 0
  while (deleted < MOST_A_ROUND) {
    const rows = await store
      .database()
      .selectFrom('invocations')
      .select('seq')
      .where('seq', '<', end)
      .where('pinned', '=', 0)
      .orderBy('seq')
      .limit(CHUNK)
      .execute()
    if (rows.length === 0) break
    deleted += await deleteSeqs(
      store,
      rows.map(row => row.seq),
    )
    await new Promise(resolve => setImmediate(resolve))
  }
  return deleted
}
