/** The tables of version 0.1. */
import { type Kysely, sql } from 'kysely'
import { columnTypes, createTable, type Migration, nullable, primaryKey } from './migration.ts'
import type { StoreDialect } from './store.ts'

export const initialSchema: Migration = {
  name: '001-initial',
  async up(database, dialect) {
    await createHistory(database, dialect)
    await createSnapshots(database, dialect)
    await createExamples(database)
    await createSources(database, dialect)
    await createSignIns(database)
  },
}

/** History: the calls, their bodies, and the search index. */
async function createHistory(database: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
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
    // The index has no positions and no copy of the text, because the search is for words, never for phrases.
    await sql`create virtual table invocation_words using fts5(words, content='', contentless_delete=1,
      detail='none', tokenize="unicode61 remove_diacritics 0 categories 'L* M* N* Co'")`.execute(database)
    return
  }
  await sql`create table invocation_words (
    seq bigint primary key references invocations (seq) on delete cascade,
    words tsvector not null
  ) with (toast_tuple_target = 128)`.execute(database)
  // Moves the words out of the rows, so that a search with many hits reads few pages.
  await sql`alter table invocation_words alter column words set storage external`.execute(database)
  await sql`create index invocation_words_words on invocation_words using gin (words)`.execute(database)
}

/**
 * Versions of manifests. A tool's text is stored once; each interval names the first version with it and the one after
 * the last.
 */
async function createSnapshots(database: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  const { bytes } = columnTypes[dialect]
  await createTable(database, 'snapshot_bodies', {
    hash: primaryKey('text'),
    body: bytes,
  })
  await createTable(
    database,
    'snapshots',
    {
      source: 'text',
      number: 'integer',
      time: 'text',
      hash: 'text',
      facts: 'text',
      tool_count: 'integer',
      cause: 'text',
      version: nullable('text'),
      git: nullable('text'),
    },
    ['source', 'number'],
  )
  await createTable(
    database,
    'snapshot_labels',
    {
      source: 'text',
      label: 'text',
      number: 'integer',
    },
    ['source', 'label'],
  )
  await createTable(
    database,
    'snapshot_tools',
    {
      source: 'text',
      tool_key: 'text',
      since: 'integer',
      until: 'integer',
      position: 'double precision',
      hash: 'text',
    },
    ['source', 'tool_key', 'since'],
  )
  await database.schema
    .createIndex('snapshot_tools_until')
    .on('snapshot_tools')
    .columns(['source', 'until'])
    .execute()
}

/** Examples for users without a configuration file. */
async function createExamples(database: Kysely<unknown>): Promise<void> {
  await createTable(database, 'examples', {
    id: primaryKey('text'),
    source_key: 'text',
    tool_key: 'text',
    label: 'text',
    body: 'text',
  })
  await database.schema.createIndex('examples_by_tool').on('examples').column('tool_key').execute()
  await database.schema.createIndex('examples_by_source').on('examples').column('source_key').execute()
}

/** Sources that were added in the page. */
async function createSources(database: Kysely<unknown>, dialect: StoreDialect): Promise<void> {
  await createTable(database, 'sources', {
    id: primaryKey('text'),
    folder: 'text',
    position: columnTypes[dialect].bigInteger,
    body: 'text',
  })
  await database.schema.createIndex('sources_by_folder').on('sources').column('folder').execute()
}

/** The user's sign-ins at remote servers: encrypted, under a hash of the server's address. */
async function createSignIns(database: Kysely<unknown>): Promise<void> {
  await createTable(database, 'sign_ins', { id: primaryKey('text'), body: 'text' })
}
