/** Sources that were added in the page. */
import { columnTypes, createTable, type Migration, primaryKey } from './migration.ts'

export const sources: Migration = {
  name: '004-sources',
  async up(database, dialect) {
    await createTable(database, 'sources', {
      id: primaryKey('text'),
      folder: 'text',
      position: columnTypes[dialect].bigInteger,
      body: 'text',
    })
    await database.schema.createIndex('sources_by_folder').on('sources').column('folder').execute()
  },
}
