/** The log of changes, which replicas on one PostgreSQL read. A file of SQLite has no replicas. */
import { sql } from 'kysely'
import type { Migration } from './migration.ts'

export const changeLog: Migration = {
  name: '002-changes',
  async up(database, dialect) {
    if (dialect === 'sqlite') return
    // Transactions do not commit in the order of `seq`. The number of the transaction says which rows a reader cannot
    // have seen: those of transactions that ran at its last read, or that began later.
    await sql`create table changes (
      seq bigint generated always as identity primary key,
      transaction xid8 not null default pg_current_xact_id(),
      time timestamptz not null default clock_timestamp(),
      writer text not null default current_setting('application_name'),
      body text not null
    )`.execute(database)
    await sql`create index changes_by_transaction on changes (transaction)`.execute(database)
  },
}
