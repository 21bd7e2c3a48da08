/**
 * `npm run bench -- store [--rows 1000000] [--only sqlite|postgres] [--rounds 40] [--seconds 900] [--directory DIR]`:
 * fills a store and measures what is promised: search p95 ≤ 50 ms, start ≤ 1 s, a call's extra ≤ 5 ms.
 * With --directory, or a server named by TOOLSCOPE_TEST_POSTGRES, a store that was filled before is filled up and
 * measured again. Times are those of the clock: on a busy machine they say little.
 */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import { listInvocations } from '../../server/store/invocation-list.ts'
import { openStore } from '../../server/store/open-store.ts'
import { findPostgres, startPostgres } from '../../server/store/postgres.testkit.ts'
import type { Store } from '../../server/store/store.ts'
import { fill } from './fill.ts'
import { callCost, searchMix } from './measure.ts'

const maxSearchMs = 50
const maxStartMs = 1_000
const maxCallMs = 5

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '40' },
    seconds: { type: 'string', default: '900' },
    only: { type: 'string' },
    directory: { type: 'string' },
    'measure-start': { type: 'boolean', default: false },
  },
})

if (values['measure-start']) await measureStart()
else await main()

async function main(): Promise<void> {
  let missed = 0
  if (values.only !== 'postgres') {
    const directory = values.directory ?? mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
    mkdirSync(directory, { recursive: true })
    missed += await measure('SQLite', { TOOLSCOPE_DATA_DIR: directory })
    if (values.directory === undefined) rmSync(directory, { recursive: true, force: true })
  }
  if (values.only !== 'sqlite') {
    const given = process.env.TOOLSCOPE_TEST_POSTGRES
    if (given) missed += await measure('PostgreSQL', { TOOLSCOPE_DATABASE_URL: given })
    else if (findPostgres() === null) console.error('There is no PostgreSQL here: measured on SQLite only.')
    else {
      // A server of its own with the package's settings, and the cache that a team's server would have.
      const server = await startPostgres(['shared_buffers=1GB'])
      missed += await measure('PostgreSQL', { TOOLSCOPE_DATABASE_URL: server.url })
      await server.stop()
    }
  }
  process.exitCode = missed > 0 ? 1 : 0
}

/** Prints its figures; resolves to the number of promises that were not kept. */
async function measure(name: string, environment: NodeJS.ProcessEnv): Promise<number> {
  console.error(`${name}: filling`)
  let store = await openStore({ environment, say: line => console.error(line) })
  const filled = await fill(store, Number(values.rows), Number(values.seconds))
  // What the server does by itself a minute after such a load.
  if (store.dialect === 'postgres') await sql`vacuum analyze`.execute(store.database())
  const size = await sizeOf(store, environment)
  await store.close()
  const start = startTime(environment)
  store = await openStore({ environment, say: line => console.error(line) })
  const search = await searchMix(store, Number(values.rounds))
  const cost = await callCost(store)
  await store.close()

  console.log(`\n${name}`)
  console.table(search)
  const p95 = search.at(-1)?.p95Ms ?? 0
  console.table([
    { measured: `calls: ${filled.filled}, filled in`, value: `${filled.seconds.toFixed(0)} s` },
    { measured: 'size', value: `${Math.round(size / 1024 / 1024)} MiB` },
    { measured: `start and first page (≤ ${maxStartMs} ms)`, value: `${start.toFixed(0)} ms` },
    { measured: `search p95 (≤ ${maxSearchMs} ms)`, value: `${p95} ms` },
    { measured: 'a call without history, p50', value: `${cost.withoutP50Ms} ms` },
    { measured: 'a call with history, p50', value: `${cost.withP50Ms} ms` },
    { measured: `what history adds, p95 (≤ ${maxCallMs} ms)`, value: `${cost.extraP95Ms} ms` },
  ])
  return [p95 > maxSearchMs, start > maxStartMs, cost.extraP95Ms > maxCallMs].filter(Boolean).length
}

/** In a process of its own, as the program starts. */
function startTime(environment: NodeJS.ProcessEnv): number {
  const file = fileURLToPath(import.meta.url)
  const out = execFileSync(process.execPath, [file, '--measure-start'], {
    env: { ...process.env, ...environment },
    encoding: 'utf8',
  })
  return Number(out)
}

async function measureStart(): Promise<void> {
  const started = performance.now()
  const store = await openStore({ environment: process.env, say: line => console.error(line) })
  const { invocations } = await listInvocations(store, {}, { limit: 50 })
  if (invocations.length === 0) throw new Error('nothing was found')
  console.log(performance.now() - started)
  await store.close()
}

async function sizeOf(store: Store, environment: NodeJS.ProcessEnv): Promise<number> {
  if (store.dialect === 'postgres') {
    const { rows } = await sql<{ size: number }>`select pg_database_size(current_database()) as size`.execute(
      store.database(),
    )
    return rows[0]?.size ?? 0
  }
  const folder = environment.TOOLSCOPE_DATA_DIR ?? ''
  if (!existsSync(folder)) return 0
  return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
}
