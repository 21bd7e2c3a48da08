/** The people of a team with their tokens, the audit log, and the person of each call and of each version. */
import { columnTypes, createTable, type Migration, nullable, primaryKey } from './migration.ts'

export const peopleSchema: Migration = {
  name: '004-people',
  async up(database, dialect) {
    const { bigInteger } = columnTypes[dialect]
    await createTable(database, 'people', {
      name: primaryKey('text'),
      hash: ['text', column => column.notNull().unique()],
      prefix: 'text',
      rights: 'text',
      sources: nullable('text'),
      calls_at_a_time: nullable('integer'),
      calls_a_minute: nullable('integer'),
      created_at: bigInteger,
      expires_at: nullable(bigInteger),
      revoked_at: nullable(bigInteger),
      revision: bigInteger,
    })
    await database.schema.createIndex('people_by_revision').on('people').column('revision').execute()
    await createTable(database, 'audit', {
      seq: primaryKey(bigInteger),
      person: nullable('text'),
      outcome: 'text',
      needs: 'text',
      request: 'text',
      target: nullable('text'),
      address: nullable('text'),
      forwarded_for: nullable('text'),
    })
    await database.schema.createIndex('audit_by_person').on('audit').columns(['person', 'seq']).execute()
    for (const table of ['invocations', 'snapshots'] as const)
      await database.schema.alterTable(table).addColumn('person', 'text').execute()
  },
}
