/**
 * `npm run bench -- store [--rows 1000000] [--only sqlite|postgres] [--rounds 40] [--seconds 900] [--directory DIR]`:
 * fills a store and measures the promised limits of docs/history.md, and its retention. With --directory, or a server named by
 * TOOLSCOPE_TEST_POSTGRES, an existing store is filled up and measured again. Times are elapsed times: on a busy machine
 * they say little.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { HistoryFilters } from '../core/api/history.ts'
import type { CallEvent } from '../core/tool/invocation.ts'
import { pseudoRandom } from '../core/validation/random.ts'
import { History } from '../server/history/history.ts'
import { testCall } from '../server/history/testkit.ts'
import { listInvocations, toolStats } from '../server/store/invocation-list.ts'
import type { InvocationRecord } from '../server/store/invocation-record.ts'
import {
  getInvocation,
  type PackedInvocation,
  packInvocation,
  pruneInvocations,
  writeInvocations,
} from '../server/store/invocations.ts'
import { openStore } from '../server/store/open-store.ts'
import { findPostgres, startPostgres } from '../server/store/postgres.testkit.ts'
import type { Store } from '../server/store/store.ts'
import { dayMs } from '../server/store/tables.ts'
import { callRows } from '../server/store/word-search.ts'
import { printReport, quantile, readOptions } from './harness.mjs'

type Random = () => number
const callCount = 400
const rank = (random: Random, from: number, to: number) => Math.floor(from + random() * (to - from))
const anyTool = (random: Random) => toolAt(rank(random, 0, toolCount)).ref
const kinds: readonly (readonly [string, (random: Random) => HistoryFilters])[] = [
  ['newest', () => ({})],
  ['one tool', random => ({ tool: anyTool(random) })],
  ['one source', random => ({ source: `source-${rank(random, 0, 20)}` })],
  ['output invalid', () => ({ verdict: 'invalid' })],
  ['failed', () => ({ outcome: 'failed' })],
  ['tool and failed', random => ({ tool: anyTool(random), outcome: 'failed' })],
  [
    'a day',
    random => {
      const since = Date.now() - rank(random, 1, 89) * dayMs
      return { since, until: since + dayMs }
    },
  ],
  ['word in most calls', () => ({ text: 'done' })],
  ['common word', random => ({ text: wordAt(rank(random, 1, 20)) })],
  ['usual word', random => ({ text: wordAt(rank(random, 100, 1000)) })],
  ['rare word', random => ({ text: wordAt(rank(random, 10_000, 20_000)) })],
  ['one call by its id', random => ({ text: `id${rank(random, 0, 1_000_000).toString(36)}x` })],
  ['nothing found', random => ({ text: `zz${rank(random, 0, 1e9)}` })],
  ['two words', random => ({ text: `${wordAt(rank(random, 1, 50))} ${wordAt(rank(random, 50, 2000))}` })],
  ['beginning of a word', random => ({ text: wordAt(rank(random, 200, 20_000)).slice(0, 4) })],
  ['three letters', random => ({ text: wordAt(rank(random, 200, 20_000)).slice(0, 3) })],
  ['word and tool', random => ({ text: wordAt(rank(random, 1, 200)), tool: anyTool(random) })],
  [
    'word, invalid, last month',
    random => ({
      text: wordAt(rank(random, 1, 100)),
      verdict: 'invalid',
      since: Date.now() - 30 * dayMs,
    }),
  ],
  ['word of the oldest tenth only', () => ({ text: 'bygone' })],
]
const toolCount = 500
const sourceCount = 20
/** The calls are spread over these days, the newest today. */
const days = 90
const syllables = 'ba cor del fin gra hu jen kal lom mir nos pra qui ren'.split(' ')
const batchSize = 500

const options = readOptions({
  rows: '1000000',
  copies: '1',
  rounds: '40',
  seconds: '900',
  only: '',
  directory: '',
  json: false,
  'measure-start': false,
})
const say = (line: string) => console.error(line)
const copies = Number(options.copies)
const tables: Record<string, unknown> = {}
const bars: { name: string; value: number; max: number }[] = []

if (options['measure-start']) await measureStart()
else {
  if (options.only !== 'postgres') {
    const directory = options.directory || mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
    mkdirSync(directory, { recursive: true })
    await measure('SQLite', { TOOLSCOPE_DATA_DIR: directory })
    if (options.directory === '') rmSync(directory, { recursive: true, force: true })
  }
  const given = process.env.TOOLSCOPE_TEST_POSTGRES
  if (options.only === 'sqlite') say('Measured on SQLite only.')
  else if (given) await measure('PostgreSQL', { TOOLSCOPE_DATABASE_URL: given })
  else if (findPostgres() === null) say('There is no PostgreSQL here: measured on SQLite only.')
  else {
    // A new server with the package's settings, and the cache that a team's server would have.
    const server = await startPostgres(['shared_buffers=1GB'])
    await measure('PostgreSQL', { TOOLSCOPE_DATABASE_URL: server.url })
    await server.stop()
  }
  printReport({ json: options.json, tables, bars })
}

async function measure(name: string, environment: NodeJS.ProcessEnv): Promise<void> {
  say(`${name}: filling`)
  let store = await openStore({ environment, say })
  const filled = await fill(store, Number(options.rows), Number(options.seconds))
  // The server does this by itself a minute after such a load.
  if (store.dialect === 'postgres') await sql`vacuum analyze`.execute(store.database())
  const size = await measureSize(store, environment)
  await store.close()
  // In a process of its own, as the program starts.
  const start = Number(
    execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--measure-start'], {
      env: { ...process.env, ...environment },
      encoding: 'utf8',
    }),
  )
  store = await openStore({ environment, say })
  const search = await measureSearch(store, Number(options.rounds))
  tables[`${name}, retention in ms`] = await measureRetention(store, filled.filled)
  // The first calls are not counted.
  await timeCalls(null)
  const without = await timeCalls(null)
  // With the spool, as in the program: without it, a call waits for the store before it starts.
  const dataDirectory = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
  const history = new History(store, { dataDirectory })
  const recorded = await timeCalls(history)
  await history.close()
  rmSync(dataDirectory, { recursive: true, force: true })
  await store.close()

  const added = quantile(recorded, 0.95) - quantile(without, 0.95)
  tables[`${name}, searches in ms`] = search
  tables[name] = {
    calls: filled.filled,
    'filled in, s': filled.seconds,
    'size, MiB': size / 1024 / 1024,
    'start and first page, ms': start,
    'a call without history, p50, ms': quantile(without, 0.5),
    'a call with history, p50, ms': quantile(recorded, 0.5),
    'what history adds, p95, ms': added,
  }
  bars.push(
    { name: `${name}: search, p95`, value: search.at(-1)?.p95 ?? 0, max: 50 },
    { name: `${name}: start and first page`, value: start, max: 1_000 },
    { name: `${name}: what history adds, p95`, value: added, max: 5 },
  )
}

async function measureStart(): Promise<void> {
  const started = performance.now()
  const store = await openStore({ environment: process.env, say })
  const { invocations } = await listInvocations(store, {}, { limit: 50 })
  if (invocations.length === 0) throw new Error('nothing was found')
  console.log(performance.now() - started)
  await store.close()
}

/** Returns the bytes of a store. */
async function measureSize(store: Store, { TOOLSCOPE_DATA_DIR: folder = '' }: NodeJS.ProcessEnv) {
  if (store.dialect !== 'postgres')
    return readdirSync(folder).reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  const query = sql<{ size: number }>`select pg_database_size(current_database()) as size`
  return (await query.execute(store.database())).rows[0]?.size ?? 0
}

/** Times the runs that delete calls: while the store is not full, and with the oldest 5,000 calls beyond the limit. */
async function measureRetention(store: Store, rows: number) {
  const measured = []
  for (const [run, retention] of [
    ['nothing to delete, by count', { maxCount: rows + 1 }],
    ['nothing to delete, by age', { maxCount: rows + 1, maxDays: 2 * days }],
    ['5,000 calls', { maxCount: rows - 5_000 }],
  ] as const) {
    const lag = monitorEventLoopDelay({ resolution: 5 })
    lag.enable()
    const started = performance.now()
    const deleted = await pruneInvocations(store, retention)
    measured.push({ run, deleted, ms: performance.now() - started, 'longest block': lag.max / 1e6 })
  }
  return measured
}

/** Times calls that take no time themselves, and whose reader waits two milliseconds after the ending. */
async function timeCalls(history: History | null): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < callCount; n += 1) {
    const { events, facts } = testCall({
      input: { n },
      ending: { structuredContent: { text: 'x'.repeat(2000) } },
    })
    const started = performance.now()
    const stream = passing(events)
    for await (const _event of history === null ? stream : history.recorded(stream, facts));
    times.push(performance.now() - started)
    await setTimeout(2)
  }
  return times
}

async function* passing(events: readonly CallEvent[]): AsyncGenerator<CallEvent> {
  for (const event of events) {
    // A real session waits between its events, when earlier calls are written.
    await new Promise(resolve => setImmediate(resolve))
    yield event
  }
}

async function measureSearch(store: Store, rounds: number) {
  const { invocations } = await listInvocations(store, {}, { limit: 200 })
  const queries: (readonly [string, (random: Random) => Promise<number>])[] = [
    ...kinds.map(
      ([asked, filters]) =>
        [
          asked,
          async (random: Random) =>
            (await listInvocations(store, filters(random), { limit: 50 })).invocations.length,
        ] as const,
    ),
    [
      'a page in the middle',
      async random => {
        const cursor = String((Date.now() - rank(random, 10, 80) * dayMs) * 2048)
        return (await listInvocations(store, { source: 'source-3' }, { limit: 50, cursor })).invocations
          .length
      },
    ],
    ['statistics of a tool', async random => (await toolStats(store, anyTool(random))).calls],
    [
      'one call, whole',
      async random =>
        (await getInvocation(store, invocations[rank(random, 0, invocations.length)]?.id ?? '')) ? 1 : 0,
    ],
  ]
  const rows = []
  const all: number[] = []
  for (const [asked, ask] of queries) {
    const random = pseudoRandom(asked.length * 7919)
    const times: number[] = []
    let found = 0
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now()
      found += await ask(random)
      times.push(performance.now() - started)
    }
    all.push(...times)
    rows.push({ asked, found: Math.round(found / rounds), ...summarize(times) })
  }
  return [...rows, { asked: 'all of them', found: 0, ...summarize(all) }]
}

function summarize(times: readonly number[]) {
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95) }
}

/* Fills a store with calls, through the functions that the program itself writes with. */

/** Returns the n-th word of a generated language. */
function wordAt(rank: number): string {
  let word = ''
  for (let rest = rank + 14; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

/** Few words are frequent, many are rare: rank r about as often as 1/r, of 20,000. */
function someWords(random: Random, count: number): string {
  return Array.from({ length: count }, () => wordAt(Math.floor(20_000 ** random()))).join(' ')
}

function toolAt(index: number): { source: string; tool: string; ref: string } {
  const source = `source-${index % sourceCount}`
  const tool = `${wordAt(index)} ${wordAt(index * 7)}`
  return { source, tool, ref: `${source}/${tool}` }
}

/** Returns the `index`-th of `total` calls, oldest first. Only old calls contain the word `bygone`. */
function callAt(index: number, total: number, random: Random): InvocationRecord {
  const { source, tool, ref } = toolAt(Math.floor(toolCount * random() ** 2))
  const startedAt = Date.now() - Math.floor(((total - index) / total) * days * dayMs)
  const failed = random() < 0.03
  const verdict = random() < 0.005 ? 'invalid' : 'valid'
  const input = {
    query: someWords(random, 6),
    limit: Math.floor(random() * 100),
    id: `id${index.toString(36)}x`,
  }
  const value = {
    items: Array.from({ length: 3 }, () => ({ title: someWords(random, 4), score: random() })),
    status: 'done',
    ...(index < total / 10 ? { era: 'bygone' } : {}),
  }
  const timing = {
    startedAt: new Date(startedAt).toISOString(),
    durationMs: Math.round(random() * 5000) / 10,
  }
  const validation = { verdict, issues: [] } as const
  const payload = {
    content: [],
    structuredContent: value,
    raw: JSON.stringify(value, null, 2),
    validation,
    timing,
  }
  return {
    id: randomUUID(),
    ref,
    source,
    tool,
    origin: random() < 0.1 ? 'command line' : 'page',
    startedAt,
    durationMs: timing.durationMs,
    outcome: failed ? 'exit' : 'ok',
    inputVerdict: 'valid',
    outputVerdict: verdict,
    message: failed ? 'It ended with exit code 1.' : null,
    schemaHash: '0123456789abcdef',
    snapshotId: null,
    inputText: JSON.stringify(input),
    result: {
      inputMasked: false,
      cut: [],
      inputValidation: { verdict: 'valid', issues: [] },
      timeoutMs: 60_000,
      ending: failed
        ? { type: 'failure', reason: 'exit', message: 'It ended with exit code 1.', ...payload }
        : { type: 'result', ...payload },
    },
    logs: [],
  }
}

/** The same call a little later, with an id of its own in its input's words: to make and compress one takes most of the time. */
function makeCopy(call: PackedInvocation, copy: number): PackedInvocation {
  return {
    ...call,
    row: { ...call.row, id: randomUUID() },
    startedAt: call.startedAt + copy,
    words: call.words.map(word => (/^.{4}id[0-9a-z]+x$/.test(word) ? `${word}${copy}` : word)),
  }
}

/** Resolves to the seconds that it took; stops after `maxSeconds`. Existing rows stay. */
async function fill(store: Store, rows: number, maxSeconds: number) {
  const row = await callRows(store)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  const before = row?.count ?? 0
  const random = pseudoRandom(before + 1)
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  let filled = before
  let said = before
  while (filled < rows && seconds() < maxSeconds) {
    const count = Math.ceil(Math.min(batchSize, (rows - filled) / copies))
    const records = Array.from({ length: count }, (_, n) => callAt(filled + n * copies, rows, random))
    const packed = await Promise.all(records.map(packInvocation))
    for (let copy = 0; copy < copies; copy += 1)
      await writeInvocations(store, copy === 0 ? packed : packed.map(call => makeCopy(call, copy)))
    filled += count * copies
    // The memory of SQLite's statements is freed in a turn of its own.
    await setTimeout(0)
    if (filled - said >= 100_000) {
      said = filled
      say(`  ${filled.toLocaleString('en')} calls after ${seconds().toFixed(0)} s`)
    }
  }
  return { seconds: seconds(), filled }
}
