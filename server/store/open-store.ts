/** Opens the store. A failure is a state, never an exception: the program works without a store. */
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { AppError } from '../../core/errors.ts'
import { Emitter } from '../process/events.ts'
import { isFolderResponsive } from '../process/folder-answers.ts'
import { dataDirectory, withoutPassword } from './location.ts'
import type {
  PoolCounts,
  Store,
  StoreChange,
  StoreConnection,
  StoreConnectionEvents,
  StoreDialect,
  StoreStatus,
  StoreWork,
} from './store.ts'
import { openingFailure } from './store-failure.ts'
import type { Tables } from './tables.ts'

export interface StoreOptions {
  readonly environment: NodeJS.ProcessEnv
  /** `postgres://…`; else `TOOLSCOPE_DATABASE_URL`, else SQLite in the data directory. */
  readonly databaseUrl?: string | undefined
  /** Prints a line for the user. */
  readonly say: (line: string) => void
  /** Opens the store only for deleting: works on a full disk too, see `SqliteOptions`. */
  readonly toDelete?: boolean | undefined
  /** Leaves the backups of migrations: the run does not show that the user's work goes on with the new schema. */
  readonly keepsBackups?: boolean | undefined
}

const firstRetryMs = 1_000
const maxRetryMs = 30_000

/** Never rejects. A store that could not be opened is `off`; if the cause is transient, it opens itself later. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const store = new OpenedStore(options)
  await store.open(firstRetryMs)
  return store
}

/** SQLite works on this thread: a folder that hangs would block the whole program. */
async function demandAnswer(directory: string): Promise<void> {
  if (!(await isFolderResponsive(directory)))
    throw Object.assign(new Error('no answer in 1.5 s'), { code: 'HANGS' })
}

class OpenedStore implements Store {
  readonly dialect: StoreDialect
  private readonly changes: StoreChanges
  private readonly connect: (events: StoreConnectionEvents) => Promise<StoreConnection>
  private readonly where: string
  private connection: StoreConnection | undefined
  private timer: NodeJS.Timeout | undefined
  private closed = false

  constructor({ environment, databaseUrl, say, toDelete = false, keepsBackups = false }: StoreOptions) {
    const url = databaseUrl ?? (environment.TOOLSCOPE_DATABASE_URL || undefined)
    const directory = dataDirectory(environment)
    this.dialect = url === undefined ? 'sqlite' : 'postgres'
    this.where = url === undefined ? join(directory, 'toolscope.db') : withoutPassword(url)
    this.changes = new StoreChanges(this.where, say)
    // Each run loads only the driver of the database that it uses.
    this.connect = async events => {
      if (url === undefined) {
        const [{ connectSqlite }] = await Promise.all([import('./sqlite.ts'), demandAnswer(directory)])
        return connectSqlite(directory, events, { toDelete, keepsBackups })
      }
      return (await import('./postgres.ts')).connectPostgres(url, events)
    }
  }

  status(): StoreStatus {
    return this.changes.status()
  }

  pool(): PoolCounts | undefined {
    return this.connection?.pool?.()
  }

  async compact(): Promise<void> {
    await this.connection?.compact?.()
  }

  readonly database = (): Kysely<Tables> => {
    if (this.connection !== undefined) return this.connection.database
    throw this.changes.failure ?? new AppError('store-failed', `${this.where} is closed`)
  }

  async write<T>(work: StoreWork<T>): Promise<T> {
    const { changes, value } = await this.database()
      .transaction()
      .execute(async transaction => {
        const changes: StoreChange[] = []
        const value = await work(transaction, change => changes.push(change))
        if (changes.length > 0) await this.connection?.logChanges?.(transaction, changes)
        return { changes, value }
      })
    for (const change of changes) this.changes.emit(change)
    if (changes.length > 0) this.connection?.notify?.()
    return value
  }

  onChange(listener: (change: StoreChange) => void): () => void {
    return this.changes.on(listener)
  }

  async close(): Promise<void> {
    this.closed = true
    clearTimeout(this.timer)
    this.changes.clear()
    const { connection } = this
    this.connection = undefined
    await connection?.close().catch(() => undefined)
  }

  /** Tries to open the store; if the failure is transient, again after `delay` milliseconds, then after twice that. */
  async open(delay: number): Promise<void> {
    try {
      const connection = await this.connect({
        failed: ({ error, isTransient }) => {
          this.changes.failed(error)
          if (!isTransient) void this.closeDamaged()
        },
        worked: () => this.connection !== undefined && this.changes.recovered(),
        changed: change => this.changes.emit(change),
      })
      if (this.closed) return await connection.close()
      this.connection = connection
      this.changes.recovered()
    } catch (thrown) {
      const { error, isTransient } = openingFailure(thrown, this.where)
      this.changes.failed(error)
      if (!isTransient || this.closed) return
      this.timer = setTimeout(() => void this.open(Math.min(delay * 2, maxRetryMs)), delay)
      this.timer.unref()
    }
  }

  /** A damaged file must not be written any more. */
  private async closeDamaged(): Promise<void> {
    const { connection } = this
    this.connection = undefined
    await connection?.close().catch(() => undefined)
  }
}

/* The listeners for changes of the store, and its state. */

class StoreChanges extends Emitter<StoreChange> {
  private readonly where: string
  private error: AppError | undefined
  private readonly say: (line: string) => void

  /** @param say called once each time the store fails or works again */
  constructor(where: string, say: (line: string) => void) {
    super()
    this.where = where
    this.say = say
  }

  status(): StoreStatus {
    return this.error === undefined
      ? { state: 'ready', where: this.where }
      : { state: 'off', where: this.where, error: this.error.toShape() }
  }

  get failure(): AppError | undefined {
    return this.error
  }

  failed(error: AppError): void {
    const isFirst = this.error === undefined
    this.error = error
    if (!isFirst) return
    this.say(error.message)
    this.say(`  ${error.toShape().hint}`)
    this.say('  Toolscope continues without a store.')
    this.emit({ kind: 'status', id: 'off' })
  }

  recovered(): void {
    if (this.error === undefined) return
    this.error = undefined
    this.say(`The store works again: ${this.where}`)
    this.emit({ kind: 'status', id: 'ready' })
  }
}
