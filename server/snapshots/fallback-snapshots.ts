/** Versions in the store, and while there is none in memory: what is open can be compared with what it was. */
import { AppError } from '../../core/errors.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { memorySnapshots } from './memory-snapshots.ts'

/** The store says on its own that it failed; here the work goes on. */
export function fallbackSnapshots(store: Store): SnapshotStore {
  const stored = storedSnapshots(store)
  const memory = memorySnapshots()
  async function attempt<T>(work: (snapshots: SnapshotStore) => Promise<T>): Promise<T> {
    if (store.status().state !== 'ready') return work(memory)
    try {
      return await work(stored)
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code.startsWith('store-')) return work(memory)
      throw thrown
    }
  }
  return {
    get durable() {
      return store.status().state === 'ready'
    },
    async add(snapshot) {
      const answer = await attempt(snapshots => snapshots.add(snapshot))
      memory.remember(answer.snapshot, snapshot.manifest)
      return answer
    },
    list: source => attempt(snapshots => snapshots.list(source)),
    sources: () => attempt(snapshots => snapshots.sources()),
    manifestOf: snapshot => attempt(snapshots => snapshots.manifestOf(snapshot)),
    touches: (source, tool) => attempt(snapshots => snapshots.touches(source, tool)),
    prune: (source, retention) => attempt(snapshots => snapshots.prune(source, retention)),
    setLabel: (source, number, label) => attempt(snapshots => snapshots.setLabel(source, number, label)),
    removeLabel: (source, label) => attempt(snapshots => snapshots.removeLabel(source, label)),
  }
}
