/** Where versions are kept: in the store, or in memory while there is none. */
import type { Snapshot, SnapshotCause, SnapshotManifest } from '../../core/snapshot/snapshot.ts'
import type { HashedManifest } from '../snapshots/hash-manifest.ts'

export interface NewSnapshot {
  readonly source: string
  readonly manifest: HashedManifest
  readonly time: string
  readonly cause: SnapshotCause
  readonly version?: string
  readonly git?: string
}

/** What a version did to one tool. */
export interface ToolTouch {
  readonly number: number
  /** Of the tool's text from then on; absent where it was removed. */
  readonly hash?: string
}

/** Which versions stay. Labelled ones and the newest of a source always do. */
export interface Retention {
  /** So many of the newest. */
  readonly keep: number
  /** Younger than so many days; any age unless given. */
  readonly days?: number
}

export const usualRetention: Retention = { keep: 10_000 }

export interface SnapshotStore {
  /** Whether what is kept here outlives the program. */
  readonly durable: boolean
  /** Keeps a manifest, unless it is the newest of its source already; that one is answered then. */
  add(snapshot: NewSnapshot): Promise<{ readonly snapshot: Snapshot; readonly added: boolean }>
  /** Newest first; all of them. */
  list(source: string): Promise<readonly Snapshot[]>
  /** Every source that has snapshots, by name. */
  sources(): Promise<readonly string[]>
  /** Throws AppError `snapshot-not-found`. */
  manifestOf(snapshot: Pick<Snapshot, 'source' | 'number'>): Promise<SnapshotManifest>
  /** The tool of this name (the first one) over all versions that are kept: each that differs from the one before. */
  touches(source: string, tool: string): Promise<readonly ToolTouch[]>
  /** Lets old versions of a source go; says how many went. */
  prune(source: string, retention: Retention): Promise<number>
  /** Names a version; a label names one version of a source, and moves. */
  setLabel(source: string, number: number, label: string): Promise<void>
  removeLabel(source: string, label: string): Promise<boolean>
}
