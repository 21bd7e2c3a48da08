/** Finds a kept version, and a snapshot store that delegates to another one, which is opened on first use or replaced while it does not work. */

import { AppError } from '../../core/errors.ts'
import { describeReferences, type SnapshotReference, selectSnapshot } from '../../core/manifest/reference.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import type { Store } from '../store/store.ts'

export interface KnownSnapshots {
  readonly store: SnapshotStore
  /** Throws AppError `snapshot-not-found`. */
  find(reference: SnapshotReference): Promise<Snapshot>
  /** The current version of an open source. */
  currentOf?(source: string): Snapshot | undefined
}

/** Throws AppError `snapshot-not-found`, which lists the existing versions. */
export async function findSnapshot(
  store: SnapshotStore,
  { source, selector }: SnapshotReference,
): Promise<Snapshot> {
  const snapshots = await store.list(source)
  const found = selectSnapshot(snapshots, selector)
  if (found !== undefined) return found
  const known = snapshots.length > 0 ? [] : (await store.sources()).slice(0, 30)
  const others = known.length > 0 ? `; there are some of ${known.join(', ')}` : ''
  throw new AppError('snapshot-not-found', `${describeReferences(source, snapshots)}${others}`)
}

/** Returns every function of a snapshot store; `run` chooses the store for each call. */
export function delegateSnapshots(
  run: <T>(work: (snapshots: SnapshotStore) => Promise<T>) => Promise<T>,
): Omit<SnapshotStore, 'durable'> {
  return {
    add: snapshot => run(store => store.add(snapshot)),
    list: source => run(store => store.list(source)),
    sources: () => run(store => store.sources()),
    manifestOf: snapshot => run(store => store.manifestOf(snapshot)),
    differing: (source, before, after) => run(store => store.differing(source, before, after)),
    touches: (source, tool) => run(store => store.touches(source, tool)),
    prune: (source, retention) => run(store => store.prune(source, retention)),
    setLabel: (source, number, label) => run(store => store.setLabel(source, number, label)),
    removeLabel: (source, label) => run(store => store.removeLabel(source, label)),
    renameSource: (name, next) => run(store => store.renameSource(name, next)),
  }
}

/**
 * For a command that may not need the store. Each function rejects with the store's AppError if it cannot be opened.
 */
export function lazySnapshots(
  databaseUrl: string | undefined,
  { environment, say }: { readonly environment: NodeJS.ProcessEnv; readonly say: (line: string) => void },
): { readonly known: KnownSnapshots; readonly close: () => Promise<void> } {
  let opening: Promise<Store> | undefined
  const open = async () =>
    (await import('../store/open-store.ts')).openStore({ environment, databaseUrl, say })
  const store: SnapshotStore = {
    durable: true,
    ...delegateSnapshots(async work => {
      opening ??= open()
      // Loaded on demand, because it loads the query builder.
      const { storedSnapshots } = await import('../store/snapshots.ts')
      return work(storedSnapshots(await opening))
    }),
  }
  return {
    known: { store, find: (reference: SnapshotReference) => findSnapshot(store, reference) },
    close: async () => (await opening)?.close(),
  }
}
