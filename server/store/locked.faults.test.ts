import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { History } from '../history/history.ts'
import { asStream, testCall } from '../history/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'
import { getInvocation } from './invocations.ts'
import { databases } from './testkit.ts'

async function call(history: History): Promise<string> {
  const { id, events, facts } = testCall()
  for await (const _event of history.recorded(asStream(events), facts));
  return id
}

const postgres = databases.find(kind => kind.dialect === 'postgres')

describe.skipIf(postgres === undefined)('store on PostgreSQL', () => {
  test(
    'closes within five seconds when tables are locked, and the call is written later',
    aboutTime,
    async () => {
      const database = await postgres?.create()
      if (database === undefined) throw new Error('there is no PostgreSQL')
      const directory = mkdtempSync(join(tmpdir(), 'toolscope-locked-'))
      const store = await database.open()
      const locker = new pg.Client({ connectionString: database.environment.TOOLSCOPE_DATABASE_URL })
      await locker.connect()
      try {
        await locker.query('begin; lock table invocations in access exclusive mode')
        const history = new History(store, { dataDirectory: directory })
        const started = performance.now()
        const id = await call(history)
        expect(performance.now() - started).toBeLessThan(1_000)
        await history.close()
        await store.close()
        expect(performance.now() - started).toBeLessThan(5_000)
        expect(existsSync(join(directory, 'spool'))).toBe(true)
        await locker.query('rollback')
        const later = await database.open()
        const next = new History(later, { dataDirectory: directory })
        await next.recover()
        expect(await getInvocation(later, id)).toMatchObject({ id, outcome: 'ok' })
        await next.close()
      } finally {
        await locker.end()
        rmSync(directory, { recursive: true, force: true })
        await database.remove()
      }
    },
  )
})
