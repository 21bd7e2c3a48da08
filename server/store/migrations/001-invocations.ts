/** History: the calls, their bodies, and the words by which they are found. */
import { sql } from 'kysely'
import { columnTypes, type Migration } from './migration.ts'

export const invocations: Migration = {
  name: '001-invocations',
  async up(database, dialect) {
    const { bytes, bigInteger } = columnTypes[dialect]
    await database.schema
      .createTable('invocations')
      .addColumn('seq', bigInteger, column => column.primaryKey())
      .addColumn('id', 'text', column => column.notNull().unique())
      .addColumn('ref', 'text', column => column.notNull())
      .addColumn('tool_key', 'text', column => column.notNull())
      .addColumn('source', 'text', column => column.notNull())
      .addColumn('tool', 'text', column => column.notNull())
      .addColumn('origin', 'text', column => column.notNull())
      .addColumn('duration_ms', 'double precision', column => column.notNull())
      .addColumn('outcome', 'text', column => column.notNull())
      .addColumn('input_verdict', 'text', column => column.notNull())
      .addColumn('output_verdict', 'text', column => column.notNull())
      .addColumn('preview', 'text', column => column.notNull())
      .addColumn('message', 'text')
      .addColumn('schema_hash', 'text')
      .addColumn('snapshot_id', 'text')
      .addColumn('pinned', 'integer', column => column.notNull().defaultTo(0))
      .addColumn('size', bigInteger, column => column.notNull())
      .execute()
    await database.schema
      .createIndex('invocations_by_tool')
      .on('invocations')
      .columns(['tool_key', 'seq'])
      .execute()
    await database.schema
      .createTable('invocation_bodies')
      .addColumn('seq', bigInteger, column =>
        column.primaryKey().references('invocations.seq').onDelete('cascade'),
      )
      .addColumn('input', bytes, column => column.notNull())
      .addColumn('result', bytes, column => column.notNull())
      .addColumn('logs', bytes)
      .execute()
    if (dialect === 'sqlite') {
      // Words only, no positions and no copy of the text: server and page ask for words, never for phrases.
      await sql`create virtual table invocation_words using fts5(words, content='', contentless_delete=1,
        detail='none', tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`.execute(database)
      return
    }
    await sql`create table invocation_words (
      seq bigint primary key references invocations (seq) on delete cascade,
      words tsvector not null
    ) with (toast_tuple_target = 128)`.execute(database)
    // Rows without their words stay narrow, so that a search that hits many reads few pages.
    await sql`alter table invocation_words alter column words set storage external`.execute(database)
    await sql`create index invocation_words_words on invocation_words using gin (words)`.execute(database)
  },
}
