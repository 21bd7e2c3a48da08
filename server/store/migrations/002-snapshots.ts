/** Versions of manifests. A tool's text is kept once; each of its intervals says from which version to which it held. */
import { columnTypes, type Migration } from './migration.ts'

export const snapshots: Migration = {
  name: '002-snapshots',
  async up(database, dialect) {
    const { bytes } = columnTypes[dialect]
    await database.schema
      .createTable('snapshot_bodies')
      .addColumn('hash', 'text', column => column.primaryKey())
      .addColumn('body', bytes, column => column.notNull())
      .execute()
    await database.schema
      .createTable('snapshots')
      .addColumn('source', 'text', column => column.notNull())
      .addColumn('number', 'integer', column => column.notNull())
      .addColumn('time', 'text', column => column.notNull())
      .addColumn('hash', 'text', column => column.notNull())
      .addColumn('facts', 'text', column => column.notNull())
      .addColumn('tool_count', 'integer', column => column.notNull())
      .addColumn('cause', 'text', column => column.notNull())
      .addColumn('version', 'text')
      .addColumn('git', 'text')
      .addPrimaryKeyConstraint('snapshots_key', ['source', 'number'])
      .execute()
    await database.schema
      .createTable('snapshot_labels')
      .addColumn('source', 'text', column => column.notNull())
      .addColumn('label', 'text', column => column.notNull())
      .addColumn('number', 'integer', column => column.notNull())
      .addPrimaryKeyConstraint('snapshot_labels_key', ['source', 'label'])
      .execute()
    await database.schema
      .createTable('snapshot_tools')
      .addColumn('source', 'text', column => column.notNull())
      .addColumn('tool_key', 'text', column => column.notNull())
      .addColumn('since', 'integer', column => column.notNull())
      .addColumn('until', 'integer', column => column.notNull())
      .addColumn('position', 'double precision', column => column.notNull())
      .addColumn('hash', 'text', column => column.notNull())
      .addPrimaryKeyConstraint('snapshot_tools_key', ['source', 'tool_key', 'since'])
      .execute()
    await database.schema
      .createIndex('snapshot_tools_until')
      .on('snapshot_tools')
      .columns(['source', 'until'])
      .execute()
  },
}
