/** The program's store, with the same interface for SQLite and PostgreSQL. */
import type { Kysely } from 'kysely'
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
  readonly kind: 'invocation' | 'snapshot' | 'example' | 'status'
  /** The row's id; `*` if many rows changed together. */
  readonly id: string
}

export interface Store {
  status(): StoreStatus
  /** Runs queries. Throws AppError `store-failed` if the store is off; so do queries that fail later. */
  readonly database: () => Kysely<Tables>
  readonly dialect: StoreDialect
  /**
   * Emits a change to listeners here and, on PostgreSQL, in other replicas. Call it after a row was written. Never
   * throws.
   */
  announce(change: StoreChange): void
  /** Calls `listener` after every change, here or in another replica, until the returned function is called. */
  onChange(listener: (change: StoreChange) => void): () => void
  /** Returns the space of deleted rows to the disk, if a full disk allows it. */
  compact(): Promise<void>
  /** Closes the file or the connections. Never rejects. */
  close(): Promise<void>
}

export interface StoreConnection {
  readonly database: Kysely<Tables>
  /** Sends the change to other replicas, if the database can have any. */
  announce?(change: StoreChange): void
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
