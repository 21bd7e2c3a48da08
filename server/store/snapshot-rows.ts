/** Keys, limits and the conversion of rows, for reading and writing snapshots. */
import { createHash } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Snapshot, SnapshotCause } from '../../core/manifest/snapshot.ts'
import type { Store } from './store.ts'
import type { SnapshotsTable, Tables } from './tables.ts'

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
    labels,
  }
}

/** Runs a transaction that excludes other writers of snapshots. On SQLite every transaction does. */
export async function writeSnapshots<T>(
  store: Store,
  work: (transaction: Transaction<Tables>) => Promise<T>,
): Promise<T> {
  return store
    .database()
    .transaction()
    .execute(async transaction => {
      if (store.dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${sql.lit(lockKey)})`.execute(transaction)
      return work(transaction)
    })
}

export function chunks<T>(items: readonly T[]): T[][] {
  const parts: T[][] = []
  for (let at = 0; at < items.length; at += rowsPerStatement)
    parts.push(items.slice(at, at + rowsPerStatement))
  return parts
}
