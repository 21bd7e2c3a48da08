/** A step of the schema. Steps go forward only: what is released is never changed, a new step follows it. */
import type { ColumnDataType, Expression, Kysely } from 'kysely'
import type { StoreDialect } from '../store.ts'

export interface Migration {
  /** `001-invocations`: its place in the list and what it is about. */
  readonly name: string
  /** Runs inside a transaction. */
  up(database: Kysely<unknown>, dialect: StoreDialect): Promise<void>
}

type ColumnType = ColumnDataType | Expression<unknown>

/** Column types that the two databases spell differently. */
export const columnTypes: Record<
  StoreDialect,
  { readonly bytes: ColumnType; readonly bigInteger: ColumnType }
> = {
  // SQLite: only `integer primary key` is the row's own number.
  sqlite: { bytes: 'blob', bigInteger: 'integer' },
  postgres: { bytes: 'bytea', bigInteger: 'bigint' },
}
