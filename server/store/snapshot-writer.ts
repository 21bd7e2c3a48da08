/**
 * Writes the rows of new snapshots. Those that are ready while another transaction runs share the next one: a start with
 * thousands of sources would otherwise begin and commit as many.
 */
import { setImmediate } from 'node:timers/promises'
import type { Transaction } from 'kysely'
import { turns } from '../workers/run-slices.ts'
import { chunks, stillListed, writeSnapshots } from './read-snapshot.ts'
import type { Store } from './store.ts'
import type { SnapshotsTable, SnapshotToolsTable, Tables } from './tables.ts'

/** A transaction of several snapshots writes at most this many rows, so that another process need not wait for long. */
const maxSharedRows = 2_000

/** The rows that a new snapshot changes in the store. */
export interface SnapshotRows {
  readonly row: SnapshotsTable
  readonly bodies: readonly PackedBodies[]
  /** The keys of tools whose rows end with it. */
  readonly close: readonly string[]
  readonly insert: readonly SnapshotToolsTable[]
}

/** Rejects if the rows were not written, for example because another process has stored a snapshot of this number. */
export type WriteSnapshot = (rows: SnapshotRows) => Promise<void>

export interface SnapshotBody {
  readonly hash: string
  readonly body: Buffer
}

/** The bodies of one statement in one buffer: 100,000 small buffers took more memory than their content. */
export interface PackedBodies {
  readonly bytes: Buffer
  readonly parts: readonly { readonly hash: string; readonly end: number }[]
}

interface Waiting {
  readonly rows: SnapshotRows
  readonly resolve: () => void
  readonly reject: (thrown: unknown) => void
}

export function createSnapshotWriter(store: Store): WriteSnapshot {
  let waiting: Waiting[] = []
  let isWriting = false
  async function writeWaiting(): Promise<void> {
    isWriting = true
    while (waiting.length > 0) {
      const count = countShared(waiting)
      const shared = waiting.slice(0, count)
      waiting = waiting.slice(count)
      await writeShared(store, shared)
    }
    isWriting = false
  }
  return rows =>
    new Promise<void>((resolve, reject) => {
      waiting.push({ rows, resolve, reject })
      if (!isWriting) void writeWaiting()
    })
}

/** Returns how many of the first snapshots share a transaction: at least one. */
function countShared(waiting: readonly Waiting[]): number {
  let total = 0
  const past = waiting.findIndex(({ rows: { bodies, close, insert } }) => {
    total += 1 + bodies.reduce((sum, { parts }) => sum + parts.length, close.length + insert.length)
    return total > maxSharedRows
  })
  return past < 0 ? waiting.length : Math.max(1, past)
}

/** Never rejects: settles each of the snapshots. If they cannot be written together, each is written on its own. */
async function writeShared(store: Store, shared: readonly Waiting[]): Promise<void> {
  try {
    await writeSnapshots(store, async (work, changed) => {
      await writeRows(
        work,
        shared.map(({ rows }) => rows),
      )
      for (const { source, number } of shared.map(({ rows }) => rows.row))
        changed({ kind: 'snapshot', id: `${source}@${number}`, source })
    })
    // The commit took a turn of its own.
    await setImmediate()
    for (const { resolve } of shared) resolve()
  } catch (thrown) {
    const [only] = shared
    if (shared.length > 1) for (const each of shared) await writeShared(store, [each])
    else only?.reject(thrown)
  }
}

async function writeRows(work: Transaction<Tables>, all: readonly SnapshotRows[]): Promise<void> {
  // SQLite runs on this thread: let other work run between chunks.
  const turn = turns()
  for (const part of chunks(all)) {
    await work
      .insertInto('snapshots')
      .values(part.map(({ row }) => row))
      .execute()
    await turn()
  }
  for (const bodies of chunkBodies(all)) {
    await work
      .insertInto('snapshot_bodies')
      .values(bodies)
      .onConflict(conflict => conflict.column('hash').doNothing())
      .execute()
    await turn()
  }
  for (const { row, close } of all)
    for (const part of chunks(close)) {
      await work
        .updateTable('snapshot_tools')
        .set({ until: row.number })
        .where('source', '=', row.source)
        .where('until', '=', stillListed)
        .where('tool_key', 'in', part)
        .execute()
      await turn()
    }
  for (const part of chunks(all.flatMap(({ insert }) => insert))) {
    await work.insertInto('snapshot_tools').values(part).execute()
    await turn()
  }
}

export function packBodies(bodies: readonly SnapshotBody[]): PackedBodies {
  let end = 0
  const parts = bodies.map(({ hash, body }) => {
    end += body.length
    return { hash, end }
  })
  return { bytes: Buffer.concat(bodies.map(({ body }) => body)), parts }
}

/** Yields the bodies of one statement at a time. A large snapshot is alone, and is not unpacked at once. */
function* chunkBodies(all: readonly SnapshotRows[]): Iterable<SnapshotBody[]> {
  const unpack = ({ bytes, parts }: PackedBodies): SnapshotBody[] =>
    parts.map(({ hash, end }, at) => ({ hash, body: bytes.subarray(parts[at - 1]?.end ?? 0, end) }))
  if (all.length > 1) yield* chunks(all.flatMap(({ bodies }) => bodies.flatMap(unpack)))
  else for (const pack of all[0]?.bodies ?? []) yield unpack(pack)
}
