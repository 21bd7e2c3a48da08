/** Reads snapshots: their list, a whole one, and a tool's timeline. */

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../../core/errors.ts'
import { groupBy } from '../../core/lists.ts'
import type { Snapshot, SnapshotCause, SnapshotManifest } from '../../core/manifest/snapshot.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { turns } from '../workers/run-slices.ts'
import { decompress } from './compress.ts'
import type { ToolTouch } from './snapshot-store.ts'
import type { Store, StoreWork } from './store.ts'
import type { SnapshotsTable } from './tables.ts'

/** Newest first. */
export async function listSnapshots(store: Store, source: string): Promise<readonly Snapshot[]> {
  const database = store.database()
  const [rows, labels] = await Promise.all([
    database
      .selectFrom('snapshots')
      .selectAll()
      .where('source', '=', source)
      .orderBy('number', 'desc')
      .execute(),
    database
      .selectFrom('snapshot_labels')
      .selectAll()
      .where('source', '=', source)
      .orderBy('label')
      .execute(),
  ])
  const byNumber = groupBy(labels, ({ number }) => number)
  return rows.map(row => toSnapshot(row, byNumber.get(row.number)?.map(({ label }) => label) ?? []))
}

/** Throws AppError `snapshot-not-found`. */
export async function readSnapshot(
  store: Store,
  { source, number }: Pick<Snapshot, 'source' | 'number'>,
): Promise<SnapshotManifest> {
  const database = store.database()
  const facts = await readFacts(store, source, number)
  const rows: { readonly tool_key: string; readonly position: number; readonly tool: ManifestTool }[] = []
  const turn = turns()
  for (let last = ''; ; ) {
    // SQLite runs on this thread: let other work run between chunks.
    const part = await database
      .selectFrom('snapshot_tools')
      .innerJoin('snapshot_bodies', 'snapshot_bodies.hash', 'snapshot_tools.hash')
      .select(['tool_key', 'position', 'snapshot_bodies.body'])
      .where('source', '=', source)
      .where('tool_key', '>', last)
      .where('since', '<=', number)
      // An expression, because with the index on this column SQLite would sort all rows for each chunk.
      .where(sql`until + 0`, '>', number)
      .orderBy('tool_key')
      .limit(rowsPerStatement)
      .execute()
    for (const { tool_key, position, body } of part) {
      rows.push({ tool_key, position, tool: await unpackTool(body) })
      await turn()
    }
    if (part.length < rowsPerStatement) break
    last = part.at(-1)?.tool_key ?? ''
  }
  return { ...facts, tools: rows.sort((a, b) => a.position - b.position).map(({ tool }) => tool) }
}

async function readFacts(
  store: Store,
  source: string,
  number: number,
): Promise<Omit<SnapshotManifest, 'tools'>> {
  const head = await store
    .database()
    .selectFrom('snapshot_bodies')
    .select('body')
    .where('hash', '=', query =>
      query.selectFrom('snapshots').select('facts').where('source', '=', source).where('number', '=', number),
    )
    .executeTakeFirst()
  if (head === undefined) throw new AppError('snapshot-not-found', `${source}@${number}`)
  return JSON.parse(await decompress(head.body)) as Omit<SnapshotManifest, 'tools'>
}

/** Written by this program from a ManifestTool. */
const unpackTool = async (body: Uint8Array) => JSON.parse(await decompress(body)) as ManifestTool

/**
 * Returns two snapshots of one source without the tools that are equal in both. If several tools share a name, all of
 * them are needed to match them: then both are returned whole. Throws AppError `snapshot-not-found`.
 */
export async function readDiffering(
  store: Store,
  source: string,
  before: number,
  after: number,
): Promise<readonly [SnapshotManifest, SnapshotManifest]> {
  const [facts, otherFacts] = await Promise.all([
    readFacts(store, source, before),
    readFacts(store, source, after),
  ])
  const whole = async () =>
    [
      await readSnapshot(store, { source, number: before }),
      await readSnapshot(store, { source, number: after }),
    ] as const
  if (before > after) return whole()
  const database = store.database()
  const rows = await database
    .selectFrom('snapshot_tools')
    .innerJoin('snapshot_bodies', 'snapshot_bodies.hash', 'snapshot_tools.hash')
    .select(['since', 'position', 'snapshot_bodies.body'])
    .where('source', '=', source)
    .where(({ and, eb, or }) =>
      or([
        and([eb('since', '<=', before), eb('until', '>', before), eb('until', '<=', after)]),
        and([eb('since', '>', before), eb('since', '<=', after), eb('until', '>', after)]),
      ]),
    )
    .orderBy('position')
    .execute()
  const sides: readonly [ManifestTool[], ManifestTool[]] = [[], []]
  const turn = turns()
  for (const { since, body } of rows) {
    sides[since <= before ? 0 : 1].push(await unpackTool(body))
    await turn()
  }
  const names = new Set(sides.flat().map(({ name }) => name))
  for (const part of chunks([...names])) {
    const second = await database
      .selectFrom('snapshot_tools')
      .select('tool_key')
      .where('source', '=', source)
      .where(
        'tool_key',
        'in',
        part.map(name => hashToolName(name, 1)),
      )
      .limit(1)
      .executeTakeFirst()
    if (second !== undefined) return whole()
    await turn()
  }
  return [
    { ...facts, tools: sides[0] },
    { ...otherFacts, tools: sides[1] },
  ]
}

/** Returns the kept versions in which this tool (the first of its name) differs from the version before. */
export async function readTouches(store: Store, source: string, tool: string): Promise<readonly ToolTouch[]> {
  const database = store.database()
  const [numbers, rows] = await Promise.all([
    database
      .selectFrom('snapshots')
      .select('number')
      .where('source', '=', source)
      .orderBy('number')
      .execute(),
    database
      .selectFrom('snapshot_tools')
      .select(['since', 'until', 'hash'])
      .where('source', '=', source)
      .where('tool_key', '=', hashToolName(tool))
      .orderBy('since')
      .execute(),
  ])
  const answer: ToolTouch[] = []
  let at = 0
  for (const { number } of numbers) {
    while (at < rows.length && (rows[at]?.until ?? 0) <= number) at += 1
    const row = rows[at]
    const hash = row !== undefined && row.since <= number ? row.hash : undefined
    if (hash === answer.at(-1)?.hash) continue
    answer.push({ number, ...(hash === undefined ? {} : { hash }) })
  }
  return answer
}

/** `until` of a row that is still in the newest snapshot. */
export const stillListed = 2_147_483_647
/** Rows of one statement: SQLite accepts 32,766 values. */
export const rowsPerStatement = 400
/** "snap" in ASCII: a lock number that no other part uses. */
const lockKey = 0x736e6170

export function hashToolName(name: string, occurrence = 0): string {
  return createHash('sha256').update(`${occurrence} ${name}`).digest('hex').slice(0, 32)
}

export function toSnapshot(row: SnapshotsTable, labels: readonly string[]): Snapshot {
  return {
    source: row.source,
    number: row.number,
    time: row.time,
    hash: row.hash,
    toolCount: row.tool_count,
    // Written by this program from the same list.
    cause: row.cause as SnapshotCause,
    ...(row.version === null ? {} : { version: row.version }),
    ...(row.git === null ? {} : { git: row.git }),
    ...(row.person === null ? {} : { by: row.person }),
    labels,
  }
}

/** Runs a transaction that excludes other writers of snapshots. On SQLite every transaction does. */
export async function writeSnapshots<T>(store: Store, work: StoreWork<T>): Promise<T> {
  return store.write(async (transaction, changed) => {
    if (store.dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(lockKey)})`.execute(transaction)
    return work(transaction, changed)
  })
}

export function chunks<T>(items: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += rowsPerStatement)
    parts.push(items.slice(at, at + rowsPerStatement))
  return parts
}
