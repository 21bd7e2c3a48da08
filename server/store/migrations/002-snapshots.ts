/** Versions of manifests. A tool's text is kept once; each of its intervals says from which version to which it held. */
import { columnTypes, createTable, type Migration, nullable, primaryKey } from './migration.ts'

export const snapshots: Migration = {
  name: '002-snapshots',
  async up(database, dialect) {
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
  },
}
