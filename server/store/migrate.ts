/** Brings a database to the program's schema: forward, one step a transaction, safe when two programs start at once. */
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../core/errors.ts'
import { migrations as allMigrations } from './migrations/index.ts'
import type { Migration } from './migrations/migration.ts'
import type { StoreDialect } from './store.ts'
import type { Tables } from './tables.ts'

/** Any number that no other program on the same server locks by: "tool" in ASCII. */
const LOCK = 0x746f6f6c

export interface MigrateOptions {
  /** Called before the first step that changes a database which already holds something. */
  readonly backup?: (before: string) => Promise<void>
  readonly migrations?: readonly Migration[]
}

/** Throws AppError `store-newer` when the database has a step that this program does not know. */
export async function migrate(
  database: Kysely<Tables>,
  dialect: StoreDialect,
  { backup, migrations = allMigrations }: MigrateOptions = {},
): Promise<void> {
  const applied = await appliedSteps(database, dialect)
  refuseNewer(applied, migrations)
  const [next] = migrations.filter(step => !applied.has(step.name))
  if (next === undefined) return
  if (applied.size > 0) await backup?.(next.name)
  for (const step of migrations)
    await database.transaction().execute(async transaction => {
      // On SQLite the transaction itself is the lock: it begins as a writer's.
      if (dialect === 'postgres')
        await sql`select pg_advisory_xact_lock(${sql.lit(LOCK)})`.execute(transaction)
      await sql`create table if not exists toolscope_migrations
        (name text primary key, applied_at text not null)`.execute(transaction)
      const now = await appliedSteps(transaction, dialect)
      refuseNewer(now, migrations)
      if (now.has(step.name)) return
      // A step knows its own day's tables, not today's.
      await step.up(transaction as unknown as Kysely<unknown>, dialect)
      await transaction
        .insertInto('toolscope_migrations')
        .values({ name: step.name, applied_at: new Date().toISOString() })
        .execute()
    })
}

async function appliedSteps(database: Kysely<Tables>, dialect: StoreDialect): Promise<Set<string>> {
  const { rows } =
    dialect === 'sqlite'
      ? await sql`select 1 from sqlite_master where name = 'toolscope_migrations'`.execute(database)
      : await sql`select 1 where to_regclass('toolscope_migrations') is not null`.execute(database)
  if (rows.length === 0) return new Set()
  const steps = await database.selectFrom('toolscope_migrations').select('name').execute()
  return new Set(steps.map(step => step.name))
}

function refuseNewer(applied: ReadonlySet<string>, migrations: readonly Migration[]): void {
  const known = new Set(migrations.map(step => step.name))
  const unknown = [...applied].filter(name => !known.has(name))
  if (unknown.length > 0)
    throw new AppError('store-newer', `it holds ${unknown.join(', ')}, which this version does not know`)
}
