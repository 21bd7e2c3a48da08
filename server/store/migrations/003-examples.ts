/** Examples of those who have no configuration to keep them beside. */
import { createTable, type Migration, primaryKey } from './migration.ts'

export const examples: Migration = {
  name: '003-examples',
  async up(database) {
    await createTable(database, 'examples', {
      id: primaryKey('text'),
      source_key: 'text',
      tool_key: 'text',
      label: 'text',
      body: 'text',
    })
    await database.schema.createIndex('examples_by_tool').on('examples').column('tool_key').execute()
    await database.schema.createIndex('examples_by_source').on('examples').column('source_key').execute()
  },
}
