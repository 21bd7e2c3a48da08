/** What the two databases have in common once they are open. */
import type { Kysely } from 'kysely'
import type { StoreFailure } from './failure.ts'
import type { StoreChange } from './store.ts'
import type { Tables } from './tables.ts'

export interface Connection {
  readonly database: Kysely<Tables>
  /** Tells other replicas, where there can be any. */
  announce?(change: StoreChange): void
  close(): Promise<void>
}

/** How a connection tells its store what happens to it. */
export interface ConnectionEvents {
  failed(failure: StoreFailure): void
  /** Something was written, or the server is back. */
  worked(): void
  /** Another replica wrote something. */
  heard(change: StoreChange): void
}
