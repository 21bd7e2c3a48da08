/**
 * Snapshots in the store. One row holds a tool from the snapshot that added or changed it up to the next one that
 * changes it, so an unchanged tool costs a snapshot nothing, and reading a snapshot is a range query.
 */
import { AppError } from '../../core/errors.ts'
import { firstIndex } from '../../core/first-index.ts'
import { addSnapshot } from './add-snapshot.ts'
import { listSnapshots, readDiffering, readSnapshot, readTouches } from './read-snapshot.ts'
import type { Retention } from './retention.ts'
import { dayMs } from './row-values.ts'
import { chunks, stillListed, writeSnapshots } from './snapshot-rows.ts'
import type { SnapshotStore } from './snapshot-store.ts'
import type { Store } from './store.ts'

export function storedSnapshots(store: Store): SnapshotStore {
  return {
    durable: true,
    add: snapshot => addSnapshot(store, snapshot),
    list: source => listSnapshots(store, source),
    sources: async () => {
      const rows = await store
        .database()
        .selectFrom('snapshots')
        .select('source')
        .distinct()
        .orderBy('source')
        .execute()
      return rows.map(row => row.source)
    },
    manifestOf: snapshot => readSnapshot(store, snapshot),
    differing: (source, before, after) => readDiffering(store, source, before, after),
    touches: (source, tool) => readTouches(store, source, tool),
    prune: (source, retention) => pruneSnapshots(store, source, retention),
    setLabel: (source, number, label) => setLabel(store, source, number, label),
    async removeLabel(source, label) {
      const [result] = await store
        .database()
        .deleteFrom('snapshot_labels')
        .where('source', '=', source)
        .where('label', '=', label)
        .execute()
      store.announce({ kind: 'snapshot', id: source })
      return Number(result?.numDeletedRows ?? 0) > 0
    },
    renameSource: (name, next) => renameSource(store, name, next),
  }
}

async function renameSource(store: Store, name: string, next: string): Promise<boolean> {
  const isDone = await writeSnapshots(store, async work => {
    const taken = work.selectFrom('snapshots').select('number').where('source', '=', next)
    if ((await taken.executeTakeFirst()) !== undefined) return false
    for (const table of ['snapshots', 'snapshot_labels', 'snapshot_tools'] as const)
      await work.updateTable(table).set({ source: next }).where('source', '=', name).execute()
    return true
  })
  if (isDone) store.announce({ kind: 'snapshot', id: '*' })
  return isDone
}

async function setLabel(store: Store, source: string, number: number, label: string): Promise<void> {
  await writeSnapshots(store, async work => {
    const row = await work
      .selectFrom('snapshots')
      .select('number')
      .where('source', '=', source)
      .where('number', '=', number)
      .executeTakeFirst()
    if (row === undefined) throw new AppError('snapshot-not-found', `${source}@${number}`)
    await work
      .insertInto('snapshot_labels')
      .values({ source, label, number })
      .onConflict(conflict => conflict.columns(['source', 'label']).doUpdateSet({ number }))
      .execute()
  })
  store.announce({ kind: 'snapshot', id: `${source}@${number}` })
}

/* Deletes old snapshots, and the texts that no other snapshot refers to. */

/** Labelled snapshots and the newest stay. Resolves to how many were deleted. */
async function pruneSnapshots(
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
