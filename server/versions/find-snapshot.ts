/** Finds the version that a reference names. */
import { AppError } from '../../core/errors.ts'
import { describeReferences, type SnapshotReference, selectSnapshot } from '../../core/manifest/reference.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'

/** The kept versions. */
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
