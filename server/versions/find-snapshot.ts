/** From a reference to the version it names. */
import { AppError } from '../../core/errors.ts'
import { describeReferences, type SnapshotReference, selectSnapshot } from '../../core/manifest/reference.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'

/** Versions that are kept. */
export interface KnownSnapshots {
  readonly store: SnapshotStore
  /** Throws AppError `snapshot-not-found`. */
  find(reference: SnapshotReference): Promise<Snapshot>
  /** The version that an open source has now. */
  currentOf?(source: string): Snapshot | undefined
}

/** Throws AppError `snapshot-not-found`, which says what there is. */
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
