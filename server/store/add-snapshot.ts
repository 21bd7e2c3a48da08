/** Writes a snapshot: only what differs from the one before. */

import { positionsFor } from '../../core/snapshot/positions.ts'
import type { Snapshot } from '../../core/snapshot/snapshot.ts'
import { compress } from './compress.ts'
import { retryWhileTaken } from './failure.ts'
import { listSnapshots } from './read-snapshot.ts'
import { chunks, STILL, snapshotOf, toolKey, turns, writeSnapshots } from './snapshot-rows.ts'
import type { HashedManifest, NewSnapshot } from './snapshot-store.ts'
import type { Store } from './store.ts'
import type { SnapshotsTable, SnapshotToolsTable } from './tables.ts'

/** Stores a manifest, unless the newest snapshot of its source is equal; `added` says which. */
export async function addSnapshot(
  store: Store,
  wanted: NewSnapshot,
): Promise<{ snapshot: Snapshot; added: boolean }> {
  // Where another program takes the number, what it wrote is read first.
  const answer = await retryWhileTaken(() => tryToAdd(store, wanted))
  if (answer.added) store.announce({ kind: 'snapshot', id: `${wanted.source}@${answer.snapshot.number}` })
  return answer
}

async function tryToAdd(store: Store, wanted: NewSnapshot): Promise<{ snapshot: Snapshot; added: boolean }> {
  const { source, manifest } = wanted
  const newest = await newestOf(store, source)
  if (newest?.hash === manifest.hash) {
    const [snapshot] = await listSnapshots(store, source)
    if (snapshot !== undefined) return { snapshot, added: false }
  }
  const number = (newest?.number ?? 0) + 1
  const open = await store
    .database()
    .selectFrom('snapshot_tools')
    .selectAll()
    .where('source', '=', source)
    .where('until', '=', STILL)
    .execute()
  const plan = planRows(open, wanted, number)
  const bodies = await bodiesOf(manifest, new Set(plan.insert.map(row => row.hash)))
  const row: SnapshotsTable = {
    source,
    number,
    time: wanted.time,
    hash: manifest.hash,
    facts: manifest.factsHash,
    tool_count: manifest.tools.length,
    cause: wanted.cause,
    version: wanted.version ?? null,
    git: wanted.git ?? null,
  }
  await writeSnapshots(store, async work => {
    await work.insertInto('snapshots').values(row).execute()
    for (const part of chunks(bodies))
      await work
        .insertInto('snapshot_bodies')
        .values(part)
        .onConflict(conflict => conflict.column('hash').doNothing())
        .execute()
    for (const part of chunks(plan.close))
      await work
        .updateTable('snapshot_tools')
        .set({ until: number })
        .where('source', '=', source)
        .where('until', '=', STILL)
        .where('tool_key', 'in', part)
        .execute()
    for (const part of chunks(plan.insert)) await work.insertInto('snapshot_tools').values(part).execute()
  })
  return { snapshot: snapshotOf(row, []), added: true }
}

/** Which intervals end with a version, and which begin. */
function planRows(open: readonly SnapshotToolsTable[], { source, manifest }: NewSnapshot, number: number) {
  const before = new Map(open.map(row => [row.tool_key, row] as const))
  const keys = manifest.tools.map(tool => toolKey(tool.name, tool.occurrence))
  const positions = positionsFor(keys.map(key => before.get(key)?.position))
  const present = new Set(keys)
  const close = open.filter(row => !present.has(row.tool_key)).map(row => row.tool_key)
  const insert: SnapshotToolsTable[] = []
  for (const [at, { hash }] of manifest.tools.entries()) {
    const key = keys[at] ?? ''
    const position = positions[at] ?? at
    const current = before.get(key)
    if (current !== undefined && current.hash === hash && current.position === position) continue
    if (current !== undefined) close.push(key)
    insert.push({ source, tool_key: key, since: number, until: STILL, position, hash })
  }
  return { close, insert }
}

async function bodiesOf(
  { manifest, tools, factsHash }: HashedManifest,
  wanted: ReadonlySet<string>,
): Promise<{ hash: string; body: Buffer }[]> {
  const { tools: full, ...facts } = manifest
  const bodies = new Map([[factsHash, await compress(JSON.stringify(facts))]])
  const turn = turns()
  for (const [at, { hash }] of tools.entries()) {
    if (!wanted.has(hash) || bodies.has(hash)) continue
    bodies.set(hash, await compress(JSON.stringify(full[at])))
    await turn()
  }
  return [...bodies].map(([hash, body]) => ({ hash, body }))
}

async function newestOf(store: Store, source: string) {
  return store
    .database()
    .selectFrom('snapshots')
    .select(['number', 'hash'])
    .where('source', '=', source)
    .orderBy('number', 'desc')
    .limit(1)
    .executeTakeFirst()
}
