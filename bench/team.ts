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
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { type PostgresServer, startPostgres } from '../server/store/postgres.testkit.ts'
import { printReport, quantile, readOptions } from './harness.mjs'

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
const token = 'bench-0123456789abcdef'
const faultMs = 10_000
const say = (line: string) => console.error(line)
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const config = join(folder, 'toolscope.json')
writeFileSync(
  config,
  JSON.stringify({
    history: { calls: 10_000_000 },
    sources: { bench: { mcp: { command: [process.execPath, join(root, 'bench/tool-server.mjs'), '20'] } } },
  }),
)

interface Replica {
  readonly origin: string
  readonly pid: () => number
  kill(): Promise<void>
  close(): Promise<void>
}

async function startReplica(name: string, databaseUrl: string): Promise<Replica> {
  const data = join(folder, name)
  mkdirSync(data)
  let port = '0'
  let child: ChildProcess
  async function start(): Promise<string> {
    const program = [join(root, 'dist/server/main.js'), 'serve', '--no-open', '--port', port]
    child = spawn(process.execPath, [...program, '--config', config, '--trust'], {
      cwd: folder,
      env: {
        ...process.env,
        TOOLSCOPE_TOKEN: token,
        TOOLSCOPE_DATABASE_URL: databaseUrl,
        TOOLSCOPE_DATA_DIR: data,
      },
      stdio: ['ignore', 'pipe', Number(options.calls) > 0 ? 'ignore' : 'inherit'],
    })
    let text = ''
    for await (const chunk of child.stdout ?? []) {
      text += chunk
      const url = /^toolscope ready: (\S+)$/m.exec(text)?.[1]
      if (url === undefined) continue
      port = new URL(url).port
      child.stdout?.resume()
      return new URL(url).origin
    }
    throw new Error(`the replica ended before it was ready: ${text}`)
  }
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    origin: await start(),
    pid: () => child.pid ?? 0,
    async kill() {
      await end('SIGKILL')
      await start()
    },
    close: () => end('SIGTERM'),
  }
}

/** Between the replicas and the database: a network that can be cut. */
async function startNetwork(port: number) {
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer(near => {
    const far = connect(port, '127.0.0.1')
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one)
      one.on('data', chunk => {
        if (!other.write(chunk)) one.pause()
      })
      one.on('drain', () => isCut || other.resume())
      one.on('error', () => other.destroy())
      one.on('close', () => {
        sockets.delete(one)
        other.end()
      })
      if (isCut) one.pause()
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    async cut(ms: number) {
      isCut = true
      for (const socket of sockets) socket.pause()
      await setTimeout(ms)
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}

/** Takes every connection of the database, also those of the replicas, and gives them back later. */
async function fillPool(url: string, ms: number): Promise<void> {
  const taken: pg.Client[] = []
  const take = async () => {
    const client = new pg.Client({ connectionString: url, application_name: 'bench' })
    client.on('error', () => undefined)
    await client.connect().then(
      () => taken.push(client),
      () => undefined,
    )
  }
  await take()
  await taken[0]?.query(
    `select pg_terminate_backend(pid) from pg_stat_activity where application_name like 'toolscope%'`,
  )
  for (const end = performance.now() + ms; performance.now() < end; await setTimeout(20))
    await Promise.all(Array.from({ length: 8 }, take))
  await Promise.all(taken.map(client => client.end().catch(() => undefined)))
}

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

/** Megabytes in memory. */
function readMemory({ pid }: Replica): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid()}/status`, 'utf8'))?.[1]
  return Number(kilobytes ?? 0) / 1024
}

/** Milliseconds of processor time since the start of the process. */
function readProcessorMs({ pid }: Replica): number {
  const fields = readFileSync(`/proc/${pid()}/stat`, 'utf8').split(' ')
  // In hundredths of a second: proc_pid_stat(5).
  return (Number(fields[13]) + Number(fields[14])) * 10
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
  const wanted = Number(options.calls)
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1_000
  let faultsLeft = faults.length
  const isDone = () =>
    wanted > 0
      ? faultsLeft === 0 && acknowledged.length - before >= wanted
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
    const share = ((at + 1) / (faults.length + 1)) * wanted
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

async function restartDatabase({ kill, start }: PostgresServer): Promise<void> {
  await kill()
  await setTimeout(2_000)
  await start()
}

/* The run. */

const network = options.cut ? await startNetwork(server.port) : undefined
const databaseUrl = network ? server.url.replace(`:${server.port}/`, `:${network.port}/`) : server.url
const replicas: Replica[] = []
try {
  for (const name of ['one', 'two']) replicas.push(await startReplica(name, databaseUrl))
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
    ...(network ? [name('the network is cut', () => network.cut(faultMs))] : []),
    ...(options['full-pool'] ? [name('the pool is full', () => fillPool(server.url, faultMs))] : []),
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
        name: 'events a page in a second',
        value: Math.max(...rows.map(row => row['most in a second'])),
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
  rmSync(folder, { recursive: true, force: true })
}
