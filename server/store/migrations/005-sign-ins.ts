/** The user's sign-ins at remote servers: encrypted, under a hash of the server's address. */
import { createTable, type Migration, primaryKey } from './migration.ts'

export const signIns: Migration = {
  name: '005-sign-ins',
  async up(database) {
    await createTable(database, 'sign_ins', { id: primaryKey('text'), body: 'text' })
  },
}
