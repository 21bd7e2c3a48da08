/** Examples of those who have no configuration to keep them beside. */
import type { Migration } from './migration.ts'

export const examples: Migration = {
  name: '003-examples',
  async up(database) {
    await database.schema
      .createTable('examples')
      .addColumn('id', 'text', column => column.primaryKey())
      .addColumn('source_key', 'text', column => column.notNull())
      .addColumn('tool_key', 'text', column => column.notNull())
      .addColumn('label', 'text', column => column.notNull())
      .addColumn('body', 'text', column => column.notNull())
      .execute()
    await database.schema.createIndex('examples_by_tool').on('examples').column('tool_key').execute()
    await database.schema.createIndex('examples_by_source').on('examples').column('source_key').execute()
  },
}
