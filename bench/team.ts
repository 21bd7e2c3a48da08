/**
 * `npm run bench -- team [--pages 2,800] [--seconds 20] [--rounds 1] [--callers 16] [--json]`: PostgreSQL, two replicas of
 * the built program, open pages (team-pages.mjs says what a page is) and callers of a tool. Prints calls a second, p95,
 * events a page, reads of pages, and memory every 30 seconds; then counts the acknowledged calls that are missing in
 * History or are there twice, and the pages that do not show the newest call.
 *
 * With `--calls N` it measures one number of pages until so many calls are acknowledged, and spreads faults over them:
 * `--kill N` (SIGKILL of a replica, started again at once), `--restart-database N`, `--cut` (the network to the database is
 * cut for 10 s), `--full-pool` (all connections of the database are taken for 10 s).
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { startPostgres } from '../server/store/postgres.testkit.ts'
import { printReport, quantile, readOptions } from './harness.mjs'
import {
  fillPool,
  type Replica,
  readMemory,
  readProcessorMs,
  restartDatabase,
  startNetwork,
  startReplica,
  token,
} from './team-servers.ts'

const options = readOptions({
  pages: '2,800',
  seconds: '20',
  rounds: '1',
  callers: '16',
  calls: '0',
  kill: '0',
  'restart-database': '0',
  cut: false,
  'full-pool': false,
  json: false,
})
const root = process.cwd()
const wantedCalls = Number(options.calls)
const say = (line: string) => console.error(line)

/* The callers. */

const agent = new Agent({ keepAlive: true, maxSockets: Infinity })
let callNumber = 0
/** The ids of the calls whose result a caller has received. */
const acknowledged: string[] = []

/** Resolves to the id of the call, or rejects if no result arrived. */
function call(origin: string): Promise<string> {
  callNumber += 1
  const input = { title: `call ${callNumber}.`, owner: { name: 'Ada' } }
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return new Promise((resolve, reject) => {
    const sent = request(`${origin}/api/invocations`, { method: 'POST', headers, agent }, answer => {
      let text = ''
      answer.setEncoding('utf8').on('data', chunk => {
        text += chunk
      })
      answer.once('error', reject)
      answer.once('close', () => {
        const id = /"type":"started","id":"([^"]+)"/.exec(text)?.[1]
        if (id !== undefined && text.includes('"type":"result"')) resolve(id)
        else reject(new Error(text.slice(0, 300)))
      })
    })
    sent.once('error', reject)
    sent.end(JSON.stringify({ ref: 'bench/create_invoice_0', input }))
  })
}

/** Calls one after the other, on the next replica after a failure, until `isDone`. */
async function runCaller(at: number, replicas: readonly Replica[], isDone: () => boolean, times: number[]) {
  let failed = 0
  for (let turn = at; !isDone(); ) {
    const started = performance.now()
    try {
      acknowledged.push(await call(replicas[turn % replicas.length]?.origin ?? ''))
      times.push(performance.now() - started)
    } catch {
      failed += 1
      turn += 1
      await setTimeout(50)
    }
  }
  return failed
}

/* Measuring. */

interface PageReport {
  readonly pages: number
  readonly events: number
  readonly maxPerSecond: number
  readonly newest: readonly (string | undefined)[]
  readonly reads: number
  readonly readTimes: readonly number[]
  readonly failures: number
}

async function openPages(count: number, origins: readonly string[]) {
  const child = fork(join(root, 'bench/team-pages.mjs'))
  const report = async (): Promise<PageReport> => {
    child.send({ report: true })
    const [message] = await once(child, 'message')
    return message as PageReport
  }
  child.send({ open: count, origins, token })
  for (let { pages } = await report(); pages < count; { pages } = await report()) await setTimeout(200)
  return {
    report,
    async close() {
      const ended = once(child, 'exit')
      child.send({ close: true })
      await ended
    },
  }
}

const memory: Record<string, unknown>[] = []

async function measure(
  count: number,
  replicas: readonly Replica[],
  faults: readonly (() => Promise<void>)[],
) {
  const pages = await openPages(
    count,
    replicas.map(({ origin }) => origin),
  )
  const before = acknowledged.length
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1_000
  let faultsLeft = faults.length
  const isDone = () =>
    wantedCalls > 0
      ? faultsLeft === 0 && acknowledged.length - before >= wantedCalls
      : seconds() >= Number(options.seconds)
  await pages.report()
  const times: number[] = []
  const processorMs = () => replicas.reduce((sum, replica) => sum + readProcessorMs(replica), 0)
  const processorBefore = processorMs()
  const callers = Array.from({ length: Number(options.callers) }, (_, at) =>
    runCaller(at, replicas, isDone, times),
  )
  const recordMemory = () => {
    try {
      memory.push({ pages: count, seconds: seconds(), ...replicas.map(readMemory) })
    } catch {
      // The replica has just been killed.
    }
  }
  recordMemory()
  const watch = setInterval(recordMemory, 30_000)
  for (const [at, fault] of faults.entries()) {
    const share = ((at + 1) / (faults.length + 1)) * wantedCalls
    while (acknowledged.length - before < share) await setTimeout(50)
    await fault()
    faultsLeft -= 1
  }
  const failed = (await Promise.all(callers)).reduce((sum, each) => sum + each, 0)
  const took = seconds()
  clearInterval(watch)
  recordMemory()
  const report = await pages.report()
  // The pages read within `readWithinMs`, and a replica that lost the database reads its log after it is back.
  const lagging = await waitForPages(pages.report, count)
  await pages.close()
  return {
    pages: count,
    'calls/s': times.length / took,
    'p50, ms': quantile(times, 0.5),
    'p95, ms': quantile(times, 0.95),
    failed,
    // Says nothing after a kill.
    'processor of replicas, ms/call': (processorMs() - processorBefore) / times.length,
    'events/s and page': report.events / took / count,
    'most in a second': report.maxPerSecond,
    'reads/s': report.reads / took,
    'read p95, ms': quantile(report.readTimes, 0.95),
    lagging,
  }
}

/** Resolves to the number of pages that do not show the newest call within two minutes after the last one. */
async function waitForPages(report: () => Promise<PageReport>, count: number): Promise<number> {
  const end = performance.now() + 120_000
  for (;;) {
    const newest = await findNewest()
    const lagging = count - (await report()).newest.filter(id => id === newest).length
    if (lagging === 0 || performance.now() > end) return lagging
    await setTimeout(500)
  }
}

/* The database, and what is in it at the end. */

const server = await startPostgres(['shared_buffers=512MB', 'full_page_writes=off'])

async function queryDatabase<Row extends pg.QueryResultRow>(text: string): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

async function findNewest(): Promise<string | undefined> {
  const [row] = await queryDatabase<{ id: string }>('select id from invocations order by seq desc limit 1')
  return row?.id
}

/** Waits until the replicas have written what they held back during a fault, and compares it with the answers. */
async function compareCalls() {
  const end = performance.now() + 120_000
  for (;;) {
    const rows = await queryDatabase<{ id: string; preview: string }>('select id, preview from invocations')
    const ids = new Set(rows.map(row => row.id))
    const missing = acknowledged.filter(id => !ids.has(id)).length
    const twice = rows.length - new Set(rows.map(row => row.preview)).size
    if (missing === 0 || performance.now() > end)
      return { acknowledged: acknowledged.length, 'in History': rows.length, missing, twice }
    await setTimeout(1_000)
  }
}

/* The run. */

const network = options.cut ? await startNetwork(server.port) : undefined
const databaseUrl = network ? server.url.replace(`:${server.port}/`, `:${network.port}/`) : server.url
const replicas: Replica[] = []
try {
  for (const name of ['one', 'two'])
    replicas.push(await startReplica(name, databaseUrl, wantedCalls > 0 ? 'ignore' : 'inherit'))
  const name = (fault: string, run: () => Promise<void>) => async () => {
    say(`  after ${acknowledged.length} calls: ${fault}`)
    await run()
  }
  const kills = Array.from({ length: Number(options.kill) }, (_, at) =>
    name('SIGKILL of a replica', async () => replicas[at % 2]?.kill()),
  )
  const others = [
    ...Array.from({ length: Number(options['restart-database']) }, () =>
      name('the database crashes', () => restartDatabase(server)),
    ),
    ...(network ? [name('the network is cut', () => network.cut())] : []),
    ...(options['full-pool'] ? [name('the pool is full', () => fillPool(server.url))] : []),
  ]
  // A fault of the database follows each few kills.
  const every = Math.max(1, Math.ceil(kills.length / Math.max(1, others.length)))
  const faults = Array.from({ length: Math.max(kills.length, others.length) }, (_, at) => [
    ...kills.slice(at, at + 1),
    ...(kills.length === 0 || at % every === every - 1 || at === kills.length - 1 ? others.splice(0, 1) : []),
  ]).flat()
  const counts = options.pages.split(',').map(Number)
  const rows: Awaited<ReturnType<typeof measure>>[] = []
  for (let round = 0; round < Number(options.rounds); round += 1)
    for (const count of counts) {
      say(`${count} pages`)
      rows.push(await measure(count, replicas, [...faults, ...others]))
    }
  const calls = await compareCalls()
  const median = (key: 'calls/s' | 'p95, ms', count: number | undefined) => {
    const values = rows.filter(row => row.pages === count).map(row => row[key])
    return quantile(values, 0.5)
  }
  const [few, many] = [Math.min(...counts), Math.max(...counts)]
  const isCompared = few < many
  printReport({
    json: options.json,
    tables: {
      'a page shows History: it reads the newest 50 calls again when a call was added': rows,
      'memory of the replicas, MB': memory,
      calls,
    },
    bars: [
      { name: 'acknowledged calls that are missing', value: calls.missing, max: 0 },
      { name: 'calls that are there twice', value: calls.twice, max: 0 },
      {
        name: 'events a second and page',
        value: Math.max(...rows.map(row => row['events/s and page'])),
        max: 4,
      },
      {
        name: 'pages that do not show the newest call',
        value: Math.max(...rows.map(row => row.lagging)),
        max: 0,
      },
      ...(isCompared
        ? [
            {
              name: `throughput with ${many} pages, share of that with ${few}`,
              value: median('calls/s', many) / median('calls/s', few),
              min: 0.8,
            },
            {
              name: `p95 with ${many} pages, multiple of that with ${few}`,
              value: median('p95, ms', many) / median('p95, ms', few),
              max: 1.5,
            },
          ]
        : []),
    ],
  })
} finally {
  for (const replica of replicas) await replica.close()
  network?.close()
  await server.stop()
}
