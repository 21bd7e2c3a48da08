import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { aboutTime } from '../testing/about-time.ts'
import { migrations } from './migrate.ts'
import type { Migration } from './migration.ts'
import { openStore } from './open-store.ts'
import { connectSqlite } from './sqlite.ts'
import type { Store } from './store.ts'

let directory: string
const opened: Store[] = []
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'toolscope-unusable-'))
})
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close()
  rmSync(directory, { recursive: true, force: true })
})

async function open(options: Partial<Parameters<typeof openStore>[0]> = {}): Promise<Store> {
  const environment = { TOOLSCOPE_DATA_DIR: directory }
  const store = await openStore({ environment, say: () => {}, ...options })
  opened.push(store)
  return store
}

const backups = () => readdirSync(directory).filter(name => name.includes('.before-'))

describe('store with an unusable file', () => {
  test('makes backups readable by this user only, and removes them at the second good start', async () => {
    const more: Migration = { name: '099-labels', up: async () => {} }
    const events = { failed() {}, worked() {}, changed() {} }
    await (await open()).close()
    const connection = await connectSqlite(directory, events, { migrations: [...migrations, more] })
    await connection.database.deleteFrom('toolscope_migrations').where('name', '=', more.name).execute()
    await connection.close()
    const [backup = ''] = backups()
    expect(statSync(join(directory, backup)).mode & 0o777).toBe(0o600)
    await (await open()).close()
    expect(backups()).toHaveLength(1)
    await (await open()).close()
    expect(backups()).toEqual([])
  })

  test('removes backups that another process did not finish, a day later', async () => {
    await (await open()).close()
    const [old, running] = ['before-x.1.part', 'before-x.2.part'].map(name => `toolscope.db.${name}`) as [
      string,
      string,
    ]
    for (const name of [old, running]) writeFileSync(join(directory, name), '')
    const seconds = Date.now() / 1000 - 25 * 60 * 60
    utimesSync(join(directory, old), seconds, seconds)
    await (await open()).close()
    expect(backups()).toEqual([running])
  })

  test('makes a backup of an earlier version unreadable for others', async () => {
    await (await open()).close()
    writeFileSync(join(directory, 'toolscope.db.before-002-labels'), '', { mode: 0o644 })
    await (await open()).close()
    expect(backups().map(name => statSync(join(directory, name)).mode & 0o777)).toEqual([0o600])
  })

  test.skipIf(process.platform === 'win32')(
    'is off within two seconds when its file is a pipe, and says why',
    aboutTime,
    async () => {
      execFileSync('mkfifo', [join(directory, 'toolscope.db')])
      const started = performance.now()
      const store = await open()
      expect(performance.now() - started).toBeLessThan(2_000)
      expect(store.status().error).toMatchObject({
        detail: expect.stringContaining('does not answer'),
        hint: expect.stringContaining('TOOLSCOPE_DATA_DIR'),
      })
    },
  )

  test(
    'is off at once when its folder is a file or its file is a folder, and says why',
    aboutTime,
    async () => {
      const file = join(directory, 'file')
      writeFileSync(file, '')
      mkdirSync(join(directory, 'folder', 'toolscope.db'), { recursive: true })
      for (const place of [file, join(directory, 'folder')]) {
        const started = performance.now()
        const store = await open({ environment: { TOOLSCOPE_DATA_DIR: place } })
        expect(performance.now() - started).toBeLessThan(2_000)
        expect(store.status().error?.detail).toContain('cannot be written')
      }
    },
  )
})
