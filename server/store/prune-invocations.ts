/** Deletes calls beyond the retention. */
import { setImmediate } from 'node:timers/promises'
import { deleteSeqs } from './invocations.ts'
import type { Retention } from './retention.ts'
import { dayMs, seqAt } from './row-values.ts'
import type { Store } from './store.ts'
import { callRows } from './word-search.ts'

/** Rows of one transaction, and rows of one run: the next run deletes more. */
const chunkSize = 200
const maxDeleted = 5_000

/** Deletes calls beyond the retention, at most 5,000 at a time. Resolves to the number of deleted calls. */
export async function pruneInvocations(
  store: Store,
  retention: Retention,
  now = Date.now(),
): Promise<number> {
  const minSeq = retention.maxDays === undefined ? 0 : seqAt(now - retention.maxDays * dayMs)
  const unpinned = callRows(store).select('seq').where('pinned', '=', 0)
  const firstBeyond = await unpinned
    .orderBy('seq', 'desc')
    .offset(retention.maxCount)
    .limit(1)
    .executeTakeFirst()
  // The row at the offset is the newest one to delete.
  const end = Math.max(minSeq, firstBeyond === undefined ? 0 : firstBeyond.seq + 1)
  let deleted = 0
  while (deleted < maxDeleted) {
    const rows = await unpinned.where('seq', '<', end).orderBy('seq').limit(chunkSize).execute()
    if (rows.length === 0) break
    deleted += await deleteSeqs(
      store,
      rows.map(row => row.seq),
    )
    await setImmediate()
  }
  return deleted
}
