/** History: the calls, their bodies, and the words by which they are found. */
import { sql } from 'kysely'
import { columnTypes, createTable, type Migration, nullable, primaryKey } from './migration.ts'

export const invocations: Migration = {
  name: '001-invocations',
  async up(database, dialect) {
    const { bytes, bigInteger } = columnTypes[dialect]
    await createTable(database, 'invocations', {
      seq: primaryKey(bigInteger),
      id: ['text', column => column.notNull().unique()],
      ref: 'text',
      tool_key: 'text',
      source: 'text',
      tool: 'text',
      origin: 'text',
      duration_ms: 'double precision',
      outcome: 'text',
      input_verdict: 'text',
      output_verdict: 'text',
      preview: 'text',
      message: nullable('text'),
      schema_hash: nullable('text'),
      snapshot_id: nullable('text'),
      pinned: ['integer', column => column.notNull().defaultTo(0)],
      size: bigInteger,
    })
    await database.schema
      .createIndex('invocations_by_tool')
      .on('invocations')
      .columns(['tool_key', 'seq'])
      .execute()
    await createTable(database, 'invocation_bodies', {
      seq: [bigInteger, column => column.primaryKey().references('invocations.seq').onDelete('cascade')],
      input: bytes,
      result: bytes,
      logs: nullable(bytes),
    })
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
