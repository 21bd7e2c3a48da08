/**
 * Versions in the store. A tool that stays as it is costs a version nothing: its row holds from the version that
 * brought it to the one that changed it. So the state at a version is a range query, and a tool's timeline its rows.
 */
import { AppError } from '../../core/errors.ts'
import { addSnapshot } from './add-snapshot.ts'
import { pruneSnapshots } from './prune-snapshots.ts'
import { listSnapshots, readSnapshot, readTouches } from './read-snapshot.ts'
import { writeVersions } from './snapshot-rows.ts'
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
  }
}

async function setLabel(store: Store, source: string, number: number, label: string): Promise<void> {
  await writeVersions(store, async work => {
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
