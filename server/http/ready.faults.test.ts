/** Readiness and figures of a server whose PostgreSQL fails and comes back. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { acme, type Running, startToolscope } from '../../scripts/toolscope-program.ts'
import { findPostgres, type PostgresServer, startPostgres } from '../store/postgres.testkit.ts'

let database: PostgresServer | undefined
let server: Running | undefined

beforeAll(async () => {
  if (findPostgres() === null) return
  database = await startPostgres()
  server = await startToolscope(['node', '--', acme], undefined, { TOOLSCOPE_DATABASE_URL: database.url })
})

afterAll(async () => {
  await server?.stop()
  await database?.stop()
})

const readReady = async ({ request }: Running) => {
  const answer = await request('/api/health/ready')
  return { status: answer.status, body: await answer.json() }
}

const readFigures = async ({ request }: Running) => (await request('/metrics')).text()

test.skipIf(findPostgres() === null)(
  'readiness: 503 with the reason while the database is down, when calls still run; 200 once it is back',
  async () => {
    if (server === undefined || database === undefined) throw new Error('it did not start')
    const open = server
    expect(await readReady(open)).toEqual({ status: 200, body: { ready: true, reasons: [] } })
    const figures = await readFigures(open)
    expect(figures).toContain('toolscope_store_up 1')
    // Another query may use the only connection at this moment.
    await expect
      .poll(() => readFigures(open))
      .toMatch(/^toolscope_store_pool_connections\{state="idle"\} [1-8]$/m)
    expect(figures).toContain('toolscope_store_pool_max 8')

    await database.kill()
    await expect
      .poll(() => readReady(open))
      .toMatchObject({
        status: 503,
        body: { ready: false, reasons: [expect.stringContaining('not available')] },
      })
    const anonymous = await fetch(`${open.origin}/api/health/ready`)
    expect([anonymous.status, await anonymous.json()]).toEqual([503, { ready: false }])
    const call = await open.request('/api/invocations', { ref: 'acme/api greet', input: { name: 'Ada' } })
    expect(await call.text()).toContain('"type":"result"')
    await expect.poll(() => readFigures(open)).toMatch(/^toolscope_spool_bytes [1-9]/m)
    expect(await readFigures(open)).toContain('toolscope_store_up 0')

    await database.start()
    await expect.poll(async () => (await readReady(open)).status).toBe(200)
    await expect.poll(() => readFigures(open)).toContain('toolscope_spool_bytes 0')
  },
)

/** Stops the server processes of a pool's connections, but not of the one that reads changes. */
async function stopConnections(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const stopped = new Set<number>()
  return {
    async stop() {
      const { rows } = await client.query<{ pid: number }>(
        `select pid from pg_stat_activity where application_name like 'toolscope%'
          and query not like 'listen %' and query not like 'with here %' and query not like '%pg_notify%'
          and query not like 'delete from changes %'`,
      )
      for (const { pid } of rows) {
        if (!stopped.has(pid)) process.kill(pid, 'SIGSTOP')
        stopped.add(pid)
      }
    },
    async end() {
      for (const pid of stopped) process.kill(pid, 'SIGCONT')
      await client.end()
    },
  }
}

test.skipIf(findPostgres() === null)(
  'readiness: 200 while all connections to the database are in use',
  async () => {
    if (server === undefined || database === undefined) throw new Error('it did not start')
    const open = server
    const connections = await stopConnections(database.url)
    const reads: Promise<unknown>[] = []
    try {
      await expect
        .poll(async () => {
          reads.push(open.request('/api/history').catch(() => undefined))
          await connections.stop()
          return readFigures(open)
        })
        .toMatch(/^toolscope_store_pool_waiting [1-9]/m)
      expect(await readReady(open)).toMatchObject({ status: 200 })
      expect(await readFigures(open)).toContain('toolscope_store_up 1')
    } finally {
      await connections.end()
    }
    await Promise.all(reads)
  },
)
