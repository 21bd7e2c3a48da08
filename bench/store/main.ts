/**
 * `npm run bench -- store [--rows 1000000] [--only sqlite|postgres] [--rounds 40] [--seconds 900] [--directory DIR]`:
 * fills a store and measures the promised limits: search p95 ≤ 50 ms, start ≤ 1 s, overhead of a call ≤ 5 ms. With
 * --directory, or a server named by TOOLSCOPE_TEST_POSTGRES, an existing store is filled up and measured again. Times
 * are elapsed times: on a busy machine they say little.
 */
import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { sql } from 'kysely'
import type { HistoryFilters } from '../../core/api/history.ts'
import type { CallEvent } from '../../core/tool/invocation.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { History } from '../../server/history/history.ts'
import { testCall } from '../../server/history/testkit.ts'
import { listInvocations, toolStats } from '../../server/store/invocation-list.ts'
import type { InvocationRecord } from '../../server/store/invocation-record.ts'
import { getInvocation, packInvocation, writeInvocations } from '../../server/store/invocations.ts'
import { openStore } from '../../server/store/open-store.ts'
import { findPostgres, startPostgres } from '../../server/store/postgres.testkit.ts'
import type { Store } from '../../server/store/store.ts'
import { dayMs } from '../../server/store/tables.ts'
import { callRows } from '../../server/store/word-search.ts'
import { quantile } from '../measured.ts'

const callCount = 400
const rank = (random: Random, from: number, to: number) => Math.floor(from + random() * (to - from))
const kinds: readonly (readonly [string, (random: Random) => HistoryFilters])[] = [
  ['newest', () => ({})],
  ['one tool', random => ({ tool: toolAt(rank(random, 0, toolCount)).ref })],
  ['one source', random => ({ source: `source-${rank(random, 0, 20)}` })],
  ['output invalid', () => ({ verdict: 'invalid' })],
  ['failed', () => ({ outcome: 'failed' })],
  ['tool and failed', random => ({ tool: toolAt(rank(random, 0, toolCount)).ref, outcome: 'failed' })],
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
  [
    'word and tool',
    random => ({ text: wordAt(rank(random, 1, 200)), tool: toolAt(rank(random, 0, toolCount)).ref }),
  ],
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
      // A new server with the package's settings, and the cache that a team's server would have.
      const server = await startPostgres(['shared_buffers=1GB'])
      missed += await measure('PostgreSQL', { TOOLSCOPE_DATABASE_URL: server.url })
      await server.stop()
    }
  }
  process.exitCode = missed > 0 ? 1 : 0
}

/** Prints the figures; resolves to the number of missed limits. */
async function measure(name: string, environment: NodeJS.ProcessEnv): Promise<number> {
  console.error(`${name}: filling`)
  let store = await openStore({ environment, say: line => console.error(line) })
  const filled = await fill(store, Number(values.rows), Number(values.seconds))
  // The server does this by itself a minute after such a load.
  if (store.dialect === 'postgres') await sql`vacuum analyze`.execute(store.database())
  const size = await measureStoreSize(store, environment)
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

/** Runs in a process of its own, as the program starts. */
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

async function measureStoreSize(store: Store, environment: NodeJS.ProcessEnv): Promise<number> {
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

/* Measures the cost of history for a call: the same calls with and without it, one after the other. */

interface CallCost {
  readonly withoutP50Ms: number
  readonly withP50Ms: number
  readonly withP95Ms: number
  readonly extraP95Ms: number
}

/** Times calls that take no time themselves, and whose reader waits two milliseconds after the ending. */
async function timed(history: History | null): Promise<number[]> {
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
    await new Promise(resolve => setTimeout(resolve, 2))
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

async function callCost(store: Store): Promise<CallCost> {
  await timed(null)
  const without = await timed(null)
  // With the spool, as in the program: without it, a call waits for the store before it starts.
  const dataDirectory = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
  const history = new History(store, { dataDirectory })
  const with_ = await timed(history)
  await history.close()
  rmSync(dataDirectory, { recursive: true, force: true })
  const round = (ms: number) => Math.round(ms * 1000) / 1000
  return {
    withoutP50Ms: round(quantile(without, 0.5)),
    withP50Ms: round(quantile(with_, 0.5)),
    withP95Ms: round(quantile(with_, 0.95)),
    extraP95Ms: round(quantile(with_, 0.95) - quantile(without, 0.95)),
  }
}

interface SearchRow {
  readonly asked: string
  readonly found: number
  readonly p50Ms: number
  readonly p95Ms: number
}

type Random = () => number

async function searchMix(store: Store, rounds: number): Promise<SearchRow[]> {
  const rows: SearchRow[] = []
  const all: number[] = []
  async function time(asked: string, ask: (random: Random) => Promise<number>): Promise<void> {
    const random = pseudoRandom(asked.length * 7919)
    const times: number[] = []
    let found = 0
    for (let round = 0; round < rounds; round += 1) {
      const started = performance.now()
      found += await ask(random)
      times.push(performance.now() - started)
    }
    all.push(...times)
    rows.push({ asked, found: Math.round(found / rounds), ...summary(times) })
  }
  for (const [asked, filters] of kinds)
    await time(
      asked,
      async random => (await listInvocations(store, filters(random), { limit: 50 })).invocations.length,
    )
  await time('a page in the middle', async random => {
    const cursor = String((Date.now() - rank(random, 10, 80) * dayMs) * 2048)
    return (await listInvocations(store, { source: 'source-3' }, { limit: 50, cursor })).invocations.length
  })
  await time(
    'statistics of a tool',
    async random => (await toolStats(store, toolAt(rank(random, 0, toolCount)).ref)).calls,
  )
  const { invocations } = await listInvocations(store, {}, { limit: 200 })
  await time('one call, whole', async random => {
    const stored = await getInvocation(store, invocations[rank(random, 0, invocations.length)]?.id ?? '')
    return stored === undefined ? 0 : 1
  })
  return [...rows, { asked: 'all of them', found: 0, ...summary(all) }]
}

function summary(times: readonly number[]): { p50Ms: number; p95Ms: number } {
  const at = (share: number) => Math.round(quantile(times, share) * 100) / 100
  return { p50Ms: at(0.5), p95Ms: at(0.95) }
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
function someWords(random: () => number, count: number): string {
  return Array.from({ length: count }, () => wordAt(Math.floor(20_000 ** random()))).join(' ')
}

function toolAt(index: number): { source: string; tool: string; ref: string } {
  const source = `source-${index % sourceCount}`
  const tool = `${wordAt(index)} ${wordAt(index * 7)}`
  return { source, tool, ref: `${source}/${tool}` }
}

/** Returns the `index`-th of `total` calls, oldest first. Only old calls contain the word `bygone`. */
function callAt(index: number, total: number, random: () => number): InvocationRecord {
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

/** Resolves to the seconds that it took; stops after `maxSeconds`. Existing rows stay. */
async function fill(
  store: Store,
  rows: number,
  maxSeconds: number,
): Promise<{ seconds: number; filled: number }> {
  const before = await countCalls(store)
  const random = pseudoRandom(before + 1)
  const started = performance.now()
  const seconds = () => (performance.now() - started) / 1000
  let filled = before
  let said = before
  while (filled < rows && seconds() < maxSeconds) {
    const count = Math.min(batchSize, rows - filled)
    const records = Array.from({ length: count }, (_, n) => callAt(filled + n, rows, random))
    await writeInvocations(store, await Promise.all(records.map(packInvocation)))
    filled += count
    if (filled - said >= 100_000) {
      said = filled
      console.error(`  ${filled.toLocaleString('en')} calls after ${seconds().toFixed(0)} s`)
    }
  }
  return { seconds: seconds(), filled }
}

async function countCalls(store: Store): Promise<number> {
  const row = await callRows(store)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}
