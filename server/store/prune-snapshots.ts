/** Deletes old snapshots, and the texts that no other snapshot refers to. */

import { firstIndex } from '../../core/first-index.ts'
import type { Retention } from './retention.ts'
import { dayMs } from './row-values.ts'
import { chunks, stillListed, writeSnapshots } from './snapshot-rows.ts'
import type { Store } from './store.ts'

/** Labelled snapshots and the newest stay. Resolves to how many were deleted. */
export async function pruneSnapshots(
  store: Store,
  source: string,
  { maxCount, maxDays }: Retention,
): Promise<number> {
  const deleted = await writeSnapshots(store, async work => {
    const rows = await work
      .selectFrom('snapshots')
      .select(['number', 'time'])
      .where('source', '=', source)
      .orderBy('number', 'desc')
      .execute()
    const labels = await work
      .selectFrom('snapshot_labels')
      .select('number')
      .where('source', '=', source)
      .execute()
    const labelled = new Set(labels.map(row => row.number))
    const oldest = maxDays === undefined ? Number.NEGATIVE_INFINITY : Date.now() - maxDays * dayMs
    const stays = ({ number, time }: { number: number; time: string }, at: number) =>
      at === 0 || labelled.has(number) || (at < maxCount && Date.parse(time) >= oldest)
    const kept = rows.filter(stays).map(row => row.number)
    const dropped = rows.filter((row, at) => !stays(row, at)).map(row => row.number)
    if (dropped.length === 0) return dropped
    for (const part of chunks(dropped))
      await work.deleteFrom('snapshots').where('source', '=', source).where('number', 'in', part).execute()
    const ended = await work
      .selectFrom('snapshot_tools')
      .select(['tool_key', 'since', 'until'])
      .where('source', '=', source)
      .where('until', '!=', stillListed)
      .execute()
    const ascending = kept.toReversed()
    for (const { tool_key, since, until } of ended)
      if (!holdsOne(ascending, since, until))
        await work
          .deleteFrom('snapshot_tools')
          .where('source', '=', source)
          .where('tool_key', '=', tool_key)
          .where('since', '=', since)
          .execute()
    await work
      .deleteFrom('snapshot_bodies')
      .where('hash', 'not in', query => query.selectFrom('snapshot_tools').select('hash'))
      .where('hash', 'not in', query => query.selectFrom('snapshots').select('facts'))
      .execute()
    return dropped
  })
  if (deleted.length > 0) store.announce({ kind: 'snapshot', id: '*' })
  return deleted.length
}

/** Whether one of the numbers, which ascend, lies in [since, until). */
function holdsOne(numbers: readonly number[], since: number, until: number): boolean {
  const first = numbers[firstIndex(numbers.length, at => (numbers[at] ?? 0) >= since)]
  return first !== undefined && first < until
}
