/** Lists the versions of a source, kept ones and those in git: newest first, each compared with the previous one. */

import type { SeverityCounts, Version, VersionList } from '../../core/api/versions.ts'
import { formatReference } from '../../core/manifest/reference.ts'
import type { Snapshot, SnapshotManifest } from '../../core/manifest/snapshot.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import type { CountsCache } from './counts-cache.ts'
import { type GitAsker, type GitVersion, gitHistory, gitManifest, gitReference } from './git-repository.ts'

/** How long an answer may spend on comparing; the remaining versions have no counts. */
const maxCompareMs = 3_000

export interface TimelineSources {
  readonly store: SnapshotStore
  readonly counts: CountsCache
  /** The file that the source's list is read from, if any: its history in git belongs to it. */
  readonly manifestPath?: string | undefined
  readonly current?: Snapshot | undefined
  readonly asker: GitAsker
}

/** A version, and how to read its content. */
export interface TimelineEntry {
  readonly version: Version
  /** Equal for equal manifests of one kind of version. */
  readonly hash: string
  readonly manifest: () => Promise<SnapshotManifest | null>
}

/** @param limit versions of each kind; at least one */
export async function sourceTimeline(
  source: string,
  limit: number,
  from: TimelineSources,
): Promise<VersionList> {
  // One more than is shown, because the last one is compared with it.
  const [stored, committed] = await Promise.all([
    readStoredVersions(source, from),
    gitVersions(limit + 1, from),
  ])
  const lists = [stored, committed].map(list => ({ shown: list.slice(0, limit), list }))
  const end = performance.now() + maxCompareMs
  const versions: Version[] = []
  for (const { shown, list } of lists)
    for (const [at, known] of shown.entries()) {
      const before = list[at + 1]
      const counts =
        before && performance.now() < end ? await countSeverities(source, before, known, from) : undefined
      versions.push({ ...known.version, ...(counts === undefined ? {} : { counts }) })
    }
  return {
    versions: versions.sort((a, b) => Date.parse(b.time) - Date.parse(a.time)),
    more: lists.some(({ shown, list }) => shown.length < list.length),
    kept: from.store.durable,
  }
}

/** Returns the kept versions, newest first. */
export async function readStoredVersions(
  source: string,
  { store, current }: Pick<TimelineSources, 'store' | 'current'>,
): Promise<readonly TimelineEntry[]> {
  return (await store.list(source)).map(snapshot => ({
    version: {
      reference: formatReference(snapshot),
      name: formatReference(snapshot),
      time: snapshot.time,
      kind: 'snapshot',
      number: snapshot.number,
      cause: snapshot.cause,
      ...(snapshot.version === undefined ? {} : { version: snapshot.version }),
      ...(snapshot.git === undefined ? {} : { git: snapshot.git }),
      ...(snapshot.by === undefined ? {} : { by: snapshot.by }),
      labels: snapshot.labels,
      toolCount: snapshot.toolCount,
      ...(current?.number === snapshot.number ? { current: true } : {}),
    },
    hash: snapshot.hash,
    manifest: () => store.manifestOf(snapshot),
  }))
}

/** Returns the versions in git, newest first, at most `limit`; empty outside git. */
export async function gitVersions(
  limit: number,
  { manifestPath, asker }: Pick<TimelineSources, 'manifestPath' | 'asker'>,
): Promise<readonly TimelineEntry[]> {
  if (manifestPath === undefined) return []
  return (await gitHistory(manifestPath, limit, asker)).map(version => knownCommit(version, asker))
}

function knownCommit(commit: GitVersion, asker: GitAsker): TimelineEntry {
  let reading: Promise<SnapshotManifest | null> | undefined
  return {
    version: {
      reference: gitReference(commit),
      name: commit.commit.slice(0, 8),
      time: new Date(commit.time).toISOString(),
      kind: 'git',
      git: commit.commit,
      labels: [],
      subject: commit.subject,
    },
    hash: `git ${commit.blob}`,
    manifest: () => {
      reading ??= gitManifest(commit, asker)
      return reading
    },
  }
}

/** Returns undefined if one of the two cannot be read as a manifest. */
async function countSeverities(
  source: string,
  a: TimelineEntry,
  b: TimelineEntry,
  { store, counts }: TimelineSources,
): Promise<SeverityCounts | undefined> {
  const side = ({ hash, manifest }: TimelineEntry) => ({
    hash,
    manifest: async () => {
      const read = await manifest()
      if (read === null) throw new Error('no manifest')
      return read
    },
  })
  const [before, after] = [a.version.number, b.version.number]
  const areStored = before !== undefined && after !== undefined
  const read = areStored ? () => store.differing(source, before, after) : undefined
  return counts.between(side(a), side(b), read).catch(() => undefined)
}
