/**
 * Migrates a database to the program's schema with Kysely's Migrator: only forward, and safe when two programs start at
 * the same time.
 */
import { type Kysely, Migrator, sql } from 'kysely'
import { AppError } from '../../core/errors.ts'
import { initialSchema } from './001-initial.ts'
import { changeLog } from './002-changes.ts'
import { toolScores } from './003-tool-scores.ts'
import { peopleSchema } from './004-people.ts'
import type { Migration } from './migration.ts'
import type { StoreDialect } from './store.ts'
import type { Tables } from './tables.ts'

/** All migrations, in the order of their names. */
export const migrations: readonly Migration[] = [initialSchema, changeLog, toolScores, peopleSchema]

/** Versions before 0.1 created the tables in several migrations. */
const firstStepBefore01 = '001-invocations'

const tableNames = {
  migrationTableName: 'toolscope_migrations',
  migrationLockTableName: 'toolscope_migrations_lock',
}

export interface MigrateOptions {
  /** Called before the first migration of a database that already contains data. */
  readonly backup?: (before: string) => Promise<void>
  readonly migrations?: readonly Migration[]
}

/**
 * Throws AppError `store-newer` if the database has a migration that this program does not know, and `store-failed` if
 * it was made before version 0.1.
 */
export async function migrate(
  database: Kysely<Tables>,
  dialect: StoreDialect,
  { backup, migrations: steps = migrations }: MigrateOptions = {},
): Promise<void> {
  const applied = await appliedSteps(database, dialect)
  refuseUnknown(applied, steps)
  const [next] = steps.filter(step => !applied.includes(step.name))
  if (next === undefined) return
  if (applied.length > 0) await backup?.(next.name)
  await prepareTables(database, dialect)
  const { error } = await new Migrator({
    // A migration knows the tables of its own time, not today's.
    db: database as Kysely<never>,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(steps.map(({ name, up }) => [name, { up: work => up(work, dialect) }])),
    },
    ...tableNames,
  }).migrateToLatest()
  if (error === undefined) return
  // Another program may have migrated further in the meantime.
  refuseUnknown(await appliedSteps(database, dialect), steps)
  throw error
}

/**
 * Creates the Migrator's tables inside a transaction, which on SQLite waits for other writers; the Migrator itself
 * would fail.
 */
async function prepareTables(database: Kysely<Tables>, dialect: StoreDialect): Promise<void> {
  await database.transaction().execute(async transaction => {
    // "tool" in ASCII: a lock number that no other program on the same server uses.
    if (dialect === 'postgres')
      await sql`select pg_advisory_xact_lock(${sql.lit(0x746f6f6c)})`.execute(transaction)
    const { schema } = transaction
    await schema
      .createTable(tableNames.migrationTableName)
      .ifNotExists()
      .addColumn('name', 'text', column => column.primaryKey())
      .addColumn('timestamp', 'text', column => column.notNull())
      .execute()
    await schema
      .createTable(tableNames.migrationLockTableName)
      .ifNotExists()
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('is_locked', 'integer', column => column.notNull().defaultTo(0))
      .execute()
    await sql`insert into ${sql.table(tableNames.migrationLockTableName)} (id, is_locked)
      values ('migration_lock', 0) on conflict (id) do nothing`.execute(transaction)
  })
}

async function appliedSteps(database: Kysely<Tables>, dialect: StoreDialect): Promise<readonly string[]> {
  // Kysely's introspection reads every table and column, which is too slow for each start.
  const { rows } =
    dialect === 'sqlite'
      ? await sql`select 1 from sqlite_master where name = 'toolscope_migrations'`.execute(database)
      : await sql`select 1 where to_regclass('toolscope_migrations') is not null`.execute(database)
  if (rows.length === 0) return []
  const steps = await database.selectFrom('toolscope_migrations').select('name').execute()
  return steps.map(step => step.name)
}

function refuseUnknown(applied: readonly string[], steps: readonly Migration[]): void {
  if (applied.includes(firstStepBefore01))
    throw new AppError('store-failed', 'the database was made by a version before 0.1', {
      hint: 'Move toolscope.db away and start again: a new one is made. On PostgreSQL name an empty database in TOOLSCOPE_DATABASE_URL.',
    })
  const unknown = applied.filter(name => steps.every(step => step.name !== name))
  if (unknown.length > 0)
    throw new AppError('store-newer', `it holds ${unknown.join(', ')}, which this version does not know`)
}
