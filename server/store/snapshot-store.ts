/** What a store of snapshots can do: the database's, and the one that lives in memory while there is no database. */

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
  /** Of what is not tools. */
  readonly factsHash: string
  readonly hash: string
}

export interface NewSnapshot {
  readonly source: string
  readonly manifest: HashedManifest
  readonly time: string
  readonly cause: SnapshotCause
  readonly version?: string
  /** What git knows of its files. Asked where the manifest is stored: git is a program to start. */
  readonly git?: () => Promise<string | undefined>
}

/** What a snapshot did to one tool. */
export interface ToolTouch {
  readonly number: number
  /** Of the tool's text from then on; absent where it was removed. */
  readonly hash?: string
}

export interface SnapshotStore {
  /** Whether snapshots outlive the program. */
  readonly durable: boolean
  /** Stores a manifest, unless the newest snapshot of its source is equal: then it returns that one. */
  add(snapshot: NewSnapshot): Promise<{ readonly snapshot: Snapshot; readonly added: boolean }>
  /** Newest first; all of them. */
  list(source: string): Promise<readonly Snapshot[]>
  /** Every source that has snapshots, by name. */
  sources(): Promise<readonly string[]>
  /** Throws AppError `snapshot-not-found`. */
  manifestOf(snapshot: Pick<Snapshot, 'source' | 'number'>): Promise<SnapshotManifest>
  /**
   * Two snapshots of one source, perhaps without tools that are equal in both. Throws AppError `snapshot-not-found`.
   */
  differing(
    source: string,
    before: number,
    after: number,
  ): Promise<readonly [SnapshotManifest, SnapshotManifest]>
  /** The snapshots in which the tool of this name (the first one) differs from the snapshot before, oldest first. */
  touches(source: string, tool: string): Promise<readonly ToolTouch[]>
  /** Deletes old snapshots of a source; the newest and labelled ones stay. Resolves to how many. */
  prune(source: string, retention: Retention): Promise<number>
  /** Labels a snapshot. A label that another snapshot of the source has moves. */
  setLabel(source: string, number: number, label: string): Promise<void>
  removeLabel(source: string, label: string): Promise<boolean>
  /** Gives the snapshots of a source its new name; false, and nothing done, where the new name has some already. */
  renameSource(name: string, next: string): Promise<boolean>
}
