/**
 * Snapshots in the store. One row holds a tool from the snapshot that added or changed it up to the next one that
 * changes it, so an unchanged tool costs a snapshot nothing, and reading a snapshot is a range query.
 */
import { AppError } from '../../core/errors.ts'
import { addSnapshot } from './add-snapshot.ts'
import { pruneSnapshots } from './prune-snapshots.ts'
import { listSnapshots, readDiffering, readSnapshot, readTouches } from './read-snapshot.ts'
import { writeSnapshots } from './snapshot-rows.ts'
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
