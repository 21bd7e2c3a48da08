/** A step of the schema. Steps go forward only: what is released is never changed, a new step follows it. */
import type { ColumnDataType, ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { StoreDialect } from './store.ts'

export interface Migration {
  /** `001-invocations`: its place in the list and what it is about. */
  readonly name: string
  /** Runs inside a transaction. */
  up(database: Kysely<unknown>, dialect: StoreDialect): Promise<void>
}

/** Column types that the two databases spell differently. */
export const columnTypes: Record<
  StoreDialect,
  { readonly bytes: ColumnDataType; readonly bigInteger: ColumnDataType }
> = {
  // SQLite: only `integer primary key` is the row's own number.
  sqlite: { bytes: 'blob', bigInteger: 'integer' },
  postgres: { bytes: 'bytea', bigInteger: 'bigint' },
}

type Constraints = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** A type alone refuses null. */
export type Column = ColumnDataType | readonly [ColumnDataType, Constraints]

export const nullable = (type: ColumnDataType): Column => [type, column => column]
export const primaryKey = (type: ColumnDataType): Column => [type, column => column.primaryKey()]

/** @param key the columns of a primary key of several */
export async function createTable(
  database: Kysely<unknown>,
  name: string,
  columns: { readonly [column: string]: Column },
  key: readonly string[] = [],
): Promise<void> {
  let table = database.schema.createTable(name)
  for (const [column, definition] of Object.entries(columns)) {
    const [type, constraints] =
      typeof definition === 'string'
        ? [definition, (built: ColumnDefinitionBuilder) => built.notNull()]
        : definition
    table = table.addColumn(column, type, constraints)
  }
  if (key.length > 0) table = table.addPrimaryKeyConstraint(`${name}_key`, key as never[])
  await table.execute()
}
