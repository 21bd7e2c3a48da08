/** SQLite through libsql: one file, a write-ahead log, one writer at a time. */
import {
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statfsSync,
  statSync,
} from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
  sql,
} from 'kysely'
import Libsql from 'libsql'
import { turns } from '../workers/run-slices.ts'
import { migrate, migrations as ownMigrations } from './migrate.ts'
import type { Migration } from './migration.ts'
import type { StoreConnection, StoreConnectionEvents } from './store.ts'
import { storeFailure } from './store-failure.ts'
import type { Tables } from './tables.ts'

/** SQLite waits for a lock on the calling thread, so this must stay short. */
const busyTimeoutMs = 100
/** With less free space a deletion would fail, because it is written to the log first. */
const minFreeBytes = 4 * 1024 * 1024
/** Up to this size the remaining data is copied in memory after a clearing, to make the file smaller. */
const maxVacuumBytes = 256 * 1024 * 1024
/** How long a transaction retries to become the only writer, without blocking the thread. */
const maxWaitMs = 3_000
/** A backup that is older and unfinished is one of a process that was ended. */
const maxUnfinishedMs = 24 * 60 * 60 * 1_000

export interface SqliteOptions {
  /** The migrations; the program's own by default. */
  readonly migrations?: readonly Migration[]
  /**
   * For a disk without room for a log: this process locks the file and keeps its rollback data in memory. A process
   * that ends in the middle of a transaction may then damage the file.
   */
  readonly toDelete?: boolean
  /** Does not count as a start after which backups are removed. */
  readonly keepsBackups?: boolean
}

/** Opens or creates `toolscope.db` in `directory`. Rejects with any error; nothing stays open then. */
export async function connectSqlite(
  directory: string,
  events: StoreConnectionEvents,
  { migrations = ownMigrations, toDelete = false, keepsBackups = false }: SqliteOptions = {},
): Promise<StoreConnection> {
  const path = join(directory, 'toolscope.db')
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  // Calls are private to the user. The log next to the file gets the same mode.
  closeSync(openSync(path, 'a', 0o600))
  const { bavail, bsize } = statfsSync(directory)
  const isDiskFull = toDelete && bavail * bsize < minFreeBytes
  const raw = new Libsql(path, { timeout: busyTimeoutMs })
  const refused = (thrown: unknown) => {
    const failure = storeFailure(thrown, path)
    if (failure !== null) events.failed(failure)
    return failure?.error ?? thrown
  }
  try {
    raw.exec(`pragma busy_timeout = ${busyTimeoutMs}`)
    if (isDiskFull) raw.exec('pragma locking_mode = exclusive; pragma temp_store = memory')
    await retryWhileBusy(() => raw.exec(`pragma journal_mode = ${isDiskFull ? 'memory' : 'wal'}`))
    raw.exec('pragma synchronous = normal; pragma foreign_keys = on; pragma cache_size = -16000')
    const database = new Kysely<Tables>({ dialect: new RetryingDialect(watched(raw, path, events), refused) })
    let isNewSchema = false
    await migrate(database, 'sqlite', {
      async backup(before) {
        isNewSchema = true
        await backup(database, path, before)
      },
      migrations,
    })
    if (!isNewSchema && !keepsBackups) expireBackups(directory)
    return {
      database,
      async compact() {
        if (isDiskFull && usedBytes(raw) < maxVacuumBytes) await sql`vacuum`.execute(database)
      },
      close() {
        truncateLog(raw)
        return database.destroy()
      },
    }
  } catch (thrown) {
    raw.close()
    throw thrown
  }
}

/** Copies the log into the file and empties it. If another process reads, the log stays, which is harmless. */
function truncateLog(raw: InstanceType<typeof Libsql>): void {
  try {
    raw.exec('pragma wal_checkpoint(truncate)')
  } catch {
    // Full, locked or damaged: the log stays, and nothing is lost.
  }
}

/** Copies the database to a file next to it: `toolscope.db.before-002-labels`. */
async function backup(database: Kysely<Tables>, path: string, before: string): Promise<void> {
  const copy = `${path}.before-${before}`
  const unfinished = `${copy}.${process.pid}.part`
  await rm(unfinished, { force: true })
  closeSync(openSync(unfinished, 'wx', 0o600))
  await sql`vacuum into ${unfinished}`.execute(database)
  await rename(unfinished, copy)
}

/** A copy is removed at the second successful start after the one that made it, an unfinished one after a day. */
function expireBackups(directory: string): void {
  for (const name of readdirSync(directory)) {
    const copy = join(directory, name)
    try {
      if (/^toolscope\.db\.before-.+\.part$/.test(name)) {
        if (Date.now() - statSync(copy).mtimeMs > maxUnfinishedMs) rmSync(copy)
      } else if (/^toolscope\.db\.before-[^.]+(\.expires)?$/.test(name)) {
        chmodSync(copy, 0o600)
        if (name.endsWith('.expires')) rmSync(copy)
        else renameSync(copy, `${copy}.expires`)
      }
    } catch {
      // Another process has just removed it.
    }
  }
}

function usedBytes(raw: InstanceType<typeof Libsql>): number {
  const { used } = raw
    .prepare(
      `select (page_count - freelist_count) * page_size as used
       from pragma_page_count(), pragma_freelist_count(), pragma_page_size()`,
    )
    .get() as { used: number }
  return used
}

/** libsql for Kysely: bytes as Buffer, with every error and every success reported. */
function watched(
  raw: InstanceType<typeof Libsql>,
  path: string,
  events: StoreConnectionEvents,
): SqliteDatabase {
  function report<T>(statement: string, work: () => T): T {
    try {
      const result = work()
      if (wrote(statement, raw.inTransaction)) events.worked()
      return result
    } catch (thrown) {
      const failure = storeFailure(thrown, path)
      if (failure === null || isBusyBegin(statement, thrown)) throw thrown
      events.failed(failure)
      throw failure.error
    }
  }
  const unprepared = (statement: string): SqliteStatement => {
    const run = () => {
      report(statement, () => raw.exec(statement))
      return { changes: 0, lastInsertRowid: 0 }
    }
    return { reader: false, run, all: () => [], iterate: () => [].values() }
  }
  return {
    close: () => raw.close(),
    prepare(statement) {
      // A prepared `begin immediate` that was refused would stay in progress, and no later commit could end.
      if (/^(begin immediate|commit|rollback)$/.test(statement)) return unprepared(statement)
      const prepared = report('', () => raw.prepare(statement))
      return {
        reader: prepared.reader,
        all: parameters => report(statement, () => prepared.all(parameters).map(withBuffers)),
        run: parameters => report(statement, () => prepared.run(parameters)),
        iterate: parameters => report(statement, () => prepared.iterate(parameters)),
      }
    },
  }
}

/** Whether the data is now in the file: after a commit, or a write outside a transaction. */
const wrote = (statement: string, inTransaction: boolean) =>
  statement === 'commit' || (!inTransaction && /^\s*(insert|update|delete)/i.test(statement))

function withBuffers(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return row
  const cells = row as Record<string, unknown>
  for (const [name, cell] of Object.entries(cells))
    if (cell instanceof ArrayBuffer) cells[name] = Buffer.from(cell)
  return row
}

const isBusy = (thrown: unknown) =>
  thrown instanceof Error &&
  /SQLITE_(BUSY|LOCKED)|is locked/.test(`${'code' in thrown ? thrown.code : ''} ${thrown.message}`)

const isBusyBegin = (statement: string, thrown: unknown) => statement === 'begin immediate' && isBusy(thrown)

/** Tries again while another process writes. Rejects with the last error. */
async function retryWhileBusy<T>(work: () => T | Promise<T>): Promise<T> {
  const end = performance.now() + maxWaitMs
  for (;;) {
    try {
      return await work()
    } catch (thrown) {
      if (!isBusy(thrown) || performance.now() > end) throw thrown
      await setTimeout(20 + Math.random() * 30)
    }
  }
}

/** Reports the error of a transaction that could not begin; returns the error to throw. */
type Refused = (thrown: unknown) => unknown

class RetryingDialect extends SqliteDialect {
  private readonly opened: SqliteDatabase
  private readonly refused: Refused

  constructor(database: SqliteDatabase, refused: Refused) {
    super({ database })
    this.opened = database
    this.refused = refused
  }

  override createDriver(): SqliteDriver {
    return new RetryingDriver(this.opened, this.refused)
  }

  override createAdapter(): SqliteAdapter {
    return new TransactionalAdapter()
  }
}

/** SQLite's DDL is transactional: all migrations succeed together, and a transaction locks out other processes. */
class TransactionalAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

class RetryingDriver extends SqliteDriver {
  private readonly refused: Refused
  /** Resolves when the last caller that waits has had the connection. */
  private last: Promise<unknown> = Promise.resolve()
  private free = () => {}
  private waiting = 0
  private readonly turn = turns()

  constructor(database: SqliteDatabase, refused: Refused) {
    super({ database })
    this.refused = refused
  }

  /** One caller after the other: Kysely wakes all that wait each time, which takes quadratic time for thousands. */
  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.last
    let free = () => {}
    this.last = new Promise<void>(resolve => {
      free = resolve
    })
    this.waiting += 1
    await before
    this.waiting -= 1
    // SQLite runs on this thread: let other work run between the queries of a long line.
    if (this.waiting > 0) await this.turn()
    this.free = free
    return super.acquireConnection()
  }

  override async releaseConnection(): Promise<void> {
    await super.releaseConnection()
    this.free()
  }

  /** Every transaction takes the write lock: one that began as a reader could be refused halfway. */
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await retryWhileBusy(() => connection.executeQuery(CompiledQuery.raw('begin immediate')))
    } catch (thrown) {
      throw this.refused(thrown)
    }
  }

  /** SQLite itself rolls back a transaction that a full disk ended; the failed rollback must not hide the cause. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    try {
      await connection.executeQuery(CompiledQuery.raw('rollback'))
    } catch {
      // The transaction was rolled back already.
    }
  }
}
