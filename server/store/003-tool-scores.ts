import { createTable, type Migration, primaryKey } from './migration.ts'

/** The scores that generated checks give to tools. */
export const toolScores: Migration = {
  name: '003-tool-scores',
  async up(database) {
    await createTable(database, 'tool_scores', { id: primaryKey('text'), source_key: 'text', body: 'text' })
  },
}
