/** A migration of the schema. Migrations only go forward: a released one is never changed, a new one follows it. */
import type { ColumnDataType, ColumnDefinitionBuilder, Kysely } from 'kysely'
import type { StoreDialect } from './store.ts'

export interface Migration {
  /** `001-invocations`: its position in the order and its topic. */
  readonly name: string
  /** Runs inside a transaction. */
  up(database: Kysely<unknown>, dialect: StoreDialect): Promise<void>
}

/** Column types that the two databases name differently. */
export const columnTypes: Record<
  StoreDialect,
  { readonly bytes: ColumnDataType; readonly bigInteger: ColumnDataType }
> = {
  // SQLite: only `integer primary key` is the row's own number.
  sqlite: { bytes: 'blob', bigInteger: 'integer' },
  postgres: { bytes: 'bytea', bigInteger: 'bigint' },
}

type Constraints = (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder

/** A type without constraints refuses null. */
export type ColumnType = ColumnDataType | readonly [ColumnDataType, Constraints]

export const nullable = (type: ColumnDataType): ColumnType => [type, column => column]
export const primaryKey = (type: ColumnDataType): ColumnType => [type, column => column.primaryKey()]

/** @param key the columns of a composite primary key */
export async function createTable(
  database: Kysely<unknown>,
  name: string,
  columns: { readonly [column: string]: ColumnType },
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
