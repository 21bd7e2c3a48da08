/** The interface of a store of snapshots: the database, or memory while there is no database. */

import type { Snapshot, SnapshotCause, SnapshotManifest } from '../../core/manifest/snapshot.ts'
import type { Retention } from './retention.ts'

export interface HashedTool {
  readonly name: string
  /** 0 for the first tool of this name, 1 for the second. */
  readonly occurrence: number
  /** SHA-256 of its canonical text, hex. */
  readonly hash: string
}

export interface HashedManifest {
  readonly manifest: SnapshotManifest
  /** In the order of `manifest.tools`. */
  readonly tools: readonly HashedTool[]
  /** The hash of everything except the tools. */
  readonly factsHash: string
  readonly hash: string
}

export interface NewSnapshot {
  readonly source: string
  readonly manifest: HashedManifest
  readonly time: string
  readonly cause: SnapshotCause
  readonly version?: string
  readonly by?: string | undefined
  /** The git revision of its files. Called only if the manifest is stored, because it starts git. */
  readonly git?: () => Promise<string | undefined>
}

/** The change that a snapshot made to one tool. */
export interface ToolTouch {
  readonly number: number
  /** The hash of the tool's text from then on; absent if it was removed. */
  readonly hash?: string
}

export interface SnapshotStore {
  /** Whether snapshots outlive the program. */
  readonly durable: boolean
  /** Stores a manifest. If it equals the newest snapshot of its source, returns that one. */
  add(snapshot: NewSnapshot): Promise<{ readonly snapshot: Snapshot; readonly added: boolean }>
  /** All of them, newest first. */
  list(source: string): Promise<readonly Snapshot[]>
  /** Every source that has snapshots, by name. */
  sources(): Promise<readonly string[]>
  /** Throws AppError `snapshot-not-found`. */
  manifestOf(snapshot: Pick<Snapshot, 'source' | 'number'>): Promise<SnapshotManifest>
  /**
   * Returns two snapshots of one source, perhaps without tools that are equal in both. Throws AppError
   * `snapshot-not-found`.
   */
  differing(
    source: string,
    before: number,
    after: number,
  ): Promise<readonly [SnapshotManifest, SnapshotManifest]>
  /** Returns the snapshots in which the first tool of this name differs from the snapshot before, oldest first. */
  touches(source: string, tool: string): Promise<readonly ToolTouch[]>
  /**
   * Deletes old snapshots of a source; the newest and labelled ones stay. Resolves to the number of deleted snapshots.
   */
  prune(source: string, retention: Retention): Promise<number>
  /** Labels a snapshot. A label of another snapshot of the source is moved. */
  setLabel(source: string, number: number, label: string): Promise<void>
  removeLabel(source: string, label: string): Promise<boolean>
  /**
   * Gives the snapshots of a source its new name. Returns false and changes nothing if the new name already has
   * snapshots.
   */
  renameSource(name: string, next: string): Promise<boolean>
}
