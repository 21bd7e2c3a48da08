/** The program's store, with the same interface for SQLite and PostgreSQL. */
import type { Kysely, Transaction } from 'kysely'
import type { AppErrorShape } from '../../core/errors.ts'
import type { StoreFailure } from './store-failure.ts'
import type { Tables } from './tables.ts'

export type StoreDialect = 'sqlite' | 'postgres'

export interface StoreStatus {
  /** `off`: nothing can be stored at the moment, and `error` has the reason. */
  readonly state: 'ready' | 'off'
  /** For display: the file's path, or the server's address without its password. */
  readonly where: string
  readonly error?: AppErrorShape
}

/** A row was written, or (`status`) the state of the store changed; then `id` is the new state. */
export interface StoreChange {
  readonly kind: 'invocation' | 'snapshot' | 'example' | 'people' | 'status'
  /** The row's id; `*` if many rows changed together. */
  readonly id: string
  /** The source of the row; absent if it has none, or if the rows of several sources changed. */
  readonly source?: string
  /** Reference of the tool that was called, or that has the example. */
  readonly ref?: string
}

/**
 * Writes rows, and passes each change to `changed`. It may run again after a failure, so it must have no other effects.
 */
export type StoreWork<T> = (
  transaction: Transaction<Tables>,
  changed: (change: StoreChange) => void,
) => Promise<T>

/** The connections of a pool. */
export interface PoolCounts {
  readonly max: number
  readonly open: number
  readonly idle: number
  /** Queries that wait for a connection. */
  readonly waiting: number
}

export interface Store {
  status(): StoreStatus
  /** Runs queries. Throws AppError `store-failed` if the store is off; so do queries that fail later. */
  readonly database: () => Kysely<Tables>
  readonly dialect: StoreDialect
  /**
   * Runs `work` in a transaction. After its commit, the changes are emitted to listeners here. On PostgreSQL they are part
   * of the transaction, and other replicas read them there, so that no replica misses a change that was committed. Rejects
   * like the queries; then nothing is written or emitted.
   */
  write<T>(work: StoreWork<T>): Promise<T>
  /** Calls `listener` after every change, here or in another replica, until the returned function is called. */
  onChange(listener: (change: StoreChange) => void): () => void
  /** Undefined if the database has no pool, or the store is off. */
  pool(): PoolCounts | undefined
  /** Returns the space of deleted rows to the disk, if a full disk allows it. */
  compact(): Promise<void>
  /** Closes the file or the connections. Never rejects. */
  close(): Promise<void>
}

export interface StoreConnection {
  readonly database: Kysely<Tables>
  /** Writes changes for other replicas, if the database can have any, as a part of the transaction. */
  logChanges?(transaction: Transaction<Tables>, changes: readonly StoreChange[]): Promise<void>
  /** Lets the other replicas read the committed changes soon. */
  notify?(): void
  pool?(): PoolCounts
  compact?(): Promise<void>
  close(): Promise<void>
}

export interface StoreConnectionEvents {
  failed(failure: StoreFailure): void
  /** A write succeeded, or the server is back. */
  worked(): void
  /** Another replica changed the database. */
  changed(change: StoreChange): void
}
