/**
 * Snapshots in the store. One row stores a tool from the snapshot that added or changed it up to the next change. So an
 * unchanged tool needs no new row, and reading a snapshot is a range query.
 */

import { sql } from 'kysely'
import { AppError } from '../../core/errors.ts'
import { firstIndex } from '../../core/lists.ts'
import { positionsFor } from '../../core/manifest/positions.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import type { Slices } from '../../core/slices.ts'
import { inSlices, turns } from '../workers/run-slices.ts'
import { compress } from './compress.ts'
import {
  chunks,
  hashToolName,
  listSnapshots,
  readDiffering,
  readSnapshot,
  readTouches,
  rowsPerStatement,
  stillListed,
  toSnapshot,
  writeSnapshots,
} from './read-snapshot.ts'
import type { Retention } from './retention.ts'
import type { HashedManifest, NewSnapshot, SnapshotStore } from './snapshot-store.ts'
import {
  createSnapshotWriter,
  type PackedBodies,
  packBodies,
  type SnapshotBody,
  type WriteSnapshot,
} from './snapshot-writer.ts'
import type { Store } from './store.ts'
import { retryWhileTaken } from './store-failure.ts'
import { dayMs, type SnapshotsTable, type SnapshotToolsTable } from './tables.ts'

export function storedSnapshots(store: Store): SnapshotStore {
  const write = createSnapshotWriter(store)
  return {
    durable: true,
    add: snapshot => addSnapshot(store, write, snapshot),
    list: source => listSnapshots(store, source),
    sources: async () => {
      const rows = await store
        .database()
        .selectFrom('snapshots')
        .select('source')
        .distinct()
        .orderBy('source')
        .execute()
      return rows.map(row => row.source)
    },
    manifestOf: snapshot => readSnapshot(store, snapshot),
    differing: (source, before, after) => readDiffering(store, source, before, after),
    touches: (source, tool) => readTouches(store, source, tool),
    prune: (source, retention) => pruneSnapshots(store, source, retention),
    setLabel: (source, number, label) => setLabel(store, source, number, label),
    async removeLabel(source, label) {
      return store.write(async (work, changed) => {
        const result = await work
          .deleteFrom('snapshot_labels')
          .where('source', '=', source)
          .where('label', '=', label)
          .executeTakeFirst()
        changed({ kind: 'snapshot', id: source, source })
        return Number(result.numDeletedRows) > 0
      })
    },
    renameSource: (name, next) => renameSource(store, name, next),
  }
}

async function renameSource(store: Store, name: string, next: string): Promise<boolean> {
  return writeSnapshots(store, async (work, changed) => {
    const taken = work.selectFrom('snapshots').select('number').where('source', '=', next)
    if ((await taken.executeTakeFirst()) !== undefined) return false
    for (const table of ['snapshots', 'snapshot_labels', 'snapshot_tools'] as const)
      await work.updateTable(table).set({ source: next }).where('source', '=', name).execute()
    changed({ kind: 'snapshot', id: '*' })
    return true
  })
}

async function setLabel(store: Store, source: string, number: number, label: string): Promise<void> {
  await writeSnapshots(store, async (work, changed) => {
    const row = await work
      .selectFrom('snapshots')
      .select('number')
      .where('source', '=', source)
      .where('number', '=', number)
      .executeTakeFirst()
    if (row === undefined) throw new AppError('snapshot-not-found', `${source}@${number}`)
    await work
      .insertInto('snapshot_labels')
      .values({ source, label, number })
      .onConflict(conflict => conflict.columns(['source', 'label']).doUpdateSet({ number }))
      .execute()
    changed({ kind: 'snapshot', id: `${source}@${number}`, source })
  })
}

/* Deletes old snapshots, and the texts that no other snapshot uses. */

/** Labelled snapshots and the newest stay. Resolves to the number of deleted snapshots. */
async function pruneSnapshots(
  store: Store,
  source: string,
  { maxCount, maxDays }: Retention,
): Promise<number> {
  const deleted = await writeSnapshots(store, async (work, changed) => {
    const rows = await work
      .selectFrom('snapshots')
      .select(['number', 'time'])
      .where('source', '=', source)
      .orderBy('number', 'desc')
      .execute()
    const labels = await work
      .selectFrom('snapshot_labels')
      .select('number')
      .where('source', '=', source)
      .execute()
    const labelled = new Set(labels.map(row => row.number))
    const oldest = maxDays === undefined ? Number.NEGATIVE_INFINITY : Date.now() - maxDays * dayMs
    const stays = ({ number, time }: { number: number; time: string }, at: number) =>
      at === 0 || labelled.has(number) || (at < maxCount && Date.parse(time) >= oldest)
    const remaining = rows.filter(stays).map(row => row.number)
    const dropped = rows.filter((row, at) => !stays(row, at)).map(row => row.number)
    if (dropped.length === 0) return dropped
    for (const part of chunks(dropped))
      await work.deleteFrom('snapshots').where('source', '=', source).where('number', 'in', part).execute()
    const ended = await work
      .selectFrom('snapshot_tools')
      .select(['tool_key', 'since', 'until'])
      .where('source', '=', source)
      .where('until', '!=', stillListed)
      .execute()
    const ascending = remaining.toReversed()
    for (const { tool_key, since, until } of ended)
      if (!holdsOne(ascending, since, until))
        await work
          .deleteFrom('snapshot_tools')
          .where('source', '=', source)
          .where('tool_key', '=', tool_key)
          .where('since', '=', since)
          .execute()
    await work
      .deleteFrom('snapshot_bodies')
      .where('hash', 'not in', query => query.selectFrom('snapshot_tools').select('hash'))
      .where('hash', 'not in', query => query.selectFrom('snapshots').select('facts'))
      .execute()
    changed({ kind: 'snapshot', id: '*', source })
    return dropped
  })
  return deleted.length
}

/** Whether one of the ascending numbers lies in [since, until). */
function holdsOne(numbers: readonly number[], since: number, until: number): boolean {
  const first = numbers[firstIndex(numbers.length, at => (numbers[at] ?? 0) >= since)]
  return first !== undefined && first < until
}

/* Adds a snapshot: only its differences from the previous one. */

/** Stores a manifest, unless it equals the newest snapshot of its source; `added` tells which. */
async function addSnapshot(
  store: Store,
  write: WriteSnapshot,
  wanted: NewSnapshot,
): Promise<{ snapshot: Snapshot; added: boolean }> {
  // If another process takes the number, the retry reads its snapshot first.
  return retryWhileTaken(() => tryToAdd(store, write, wanted))
}

async function tryToAdd(
  store: Store,
  write: WriteSnapshot,
  wanted: NewSnapshot,
): Promise<{ snapshot: Snapshot; added: boolean }> {
  const { source, manifest } = wanted
  const newest = await findNewest(store, source)
  if (newest?.hash === manifest.hash) {
    const [snapshot] = await listSnapshots(store, source)
    if (snapshot !== undefined) return { snapshot, added: false }
  }
  const number = (newest?.number ?? 0) + 1
  const open = newest === undefined ? [] : await openRows(store, source)
  const plan = await inSlices(planRows(open, wanted, number))
  const bodies = await packWantedBodies(manifest, new Set(plan.insert.map(row => row.hash)))
  const row: SnapshotsTable = {
    source,
    number,
    time: wanted.time,
    hash: manifest.hash,
    facts: manifest.factsHash,
    tool_count: manifest.tools.length,
    cause: wanted.cause,
    version: wanted.version ?? null,
    git: (await wanted.git?.()) ?? null,
    person: wanted.by ?? null,
  }
  await write({ row, bodies, ...plan })
  return { snapshot: toSnapshot(row, []), added: true }
}

/** Returns the rows of the newest snapshot of a source, read in chunks. */
async function openRows(store: Store, source: string): Promise<readonly SnapshotToolsTable[]> {
  const rows: SnapshotToolsTable[] = []
  const turn = turns()
  for (let last = ''; ; ) {
    const part = await store
      .database()
      .selectFrom('snapshot_tools')
      .selectAll()
      .where('source', '=', source)
      .where('tool_key', '>', last)
      // An expression, because with the index on this column SQLite would sort all rows for each chunk.
      .where(sql`until + 0`, '=', stillListed)
      .orderBy('tool_key')
      .limit(rowsPerStatement)
      .execute()
    for (const row of part) rows.push(row)
    if (part.length < rowsPerStatement) return rows
    last = part.at(-1)?.tool_key ?? ''
    await turn()
  }
}

/** Yields the intervals that end with a version, and those that begin. */
function* planRows(
  open: readonly SnapshotToolsTable[],
  { source, manifest }: NewSnapshot,
  number: number,
): Slices<{ readonly close: readonly string[]; readonly insert: readonly SnapshotToolsTable[] }> {
  const before = new Map<string, SnapshotToolsTable>()
  for (const row of open) {
    before.set(row.tool_key, row)
    yield
  }
  const keys: string[] = []
  const positionsBefore: (number | undefined)[] = []
  for (const { name, occurrence } of manifest.tools) {
    const key = hashToolName(name, occurrence)
    keys.push(key)
    positionsBefore.push(before.get(key)?.position)
    yield
  }
  const positions = positionsFor(positionsBefore)
  yield
  const present = new Set(keys)
  const close: string[] = []
  for (const { tool_key } of open) {
    if (!present.has(tool_key)) close.push(tool_key)
    yield
  }
  const insert: SnapshotToolsTable[] = []
  for (const [at, { hash }] of manifest.tools.entries()) {
    yield
    const key = keys[at] ?? ''
    const position = positions[at] ?? at
    const current = before.get(key)
    if (current !== undefined && current.hash === hash && current.position === position) continue
    if (current !== undefined) close.push(key)
    insert.push({ source, tool_key: key, since: number, until: stillListed, position, hash })
  }
  return { close, insert }
}

async function packWantedBodies(
  { manifest, tools, factsHash }: HashedManifest,
  wanted: ReadonlySet<string>,
): Promise<readonly PackedBodies[]> {
  const { tools: full, ...facts } = manifest
  const packs = [packBodies([{ hash: factsHash, body: await compress(JSON.stringify(facts)) }])]
  const done = new Set([factsHash])
  let bodies: SnapshotBody[] = []
  const turn = turns()
  for (const [at, { hash }] of tools.entries()) {
    if (!wanted.has(hash) || done.has(hash)) continue
    done.add(hash)
    bodies.push({ hash, body: await compress(JSON.stringify(full[at])) })
    if (bodies.length === rowsPerStatement) {
      packs.push(packBodies(bodies))
      bodies = []
    }
    await turn()
  }
  return bodies.length === 0 ? packs : [...packs, packBodies(bodies)]
}

async function findNewest(store: Store, source: string) {
  return store
    .database()
    .selectFrom('snapshots')
    .select(['number', 'hash'])
    .where('source', '=', source)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}
