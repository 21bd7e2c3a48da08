/** Snapshots in the store, or in memory while the store does not work. */
import { AppError } from '../../core/errors.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { delegateSnapshots } from './lazy-snapshots.ts'
import { memorySnapshots } from './memory-snapshots.ts'

/** The store itself reports its failures. Numbers in memory continue those of the store. */
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
    ...delegateSnapshots(attempt),
    get durable() {
      return store.status().state === 'ready'
    },
    async add(snapshot) {
      const answer = await attempt(snapshots => snapshots.add(snapshot))
      memory.addStored(answer.snapshot, snapshot.manifest)
      return answer
    },
    async renameSource(name, next) {
      const isDone = await attempt(snapshots => snapshots.renameSource(name, next))
      if (isDone) await memory.renameSource(name, next)
      return isDone
    },
  }
}
