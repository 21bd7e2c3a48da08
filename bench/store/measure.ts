/** What remembering costs a call: the same calls with and without it, one after the other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HistoryFilters } from '../../core/api/history.ts'
import type { CallEvent } from '../../core/tool/invocation.ts'
import { pseudoRandom } from '../../core/validation/random.ts'
import { History } from '../../server/history/history.ts'
import { testCall } from '../../server/history/testkit.ts'
import { listInvocations } from '../../server/store/invocation-list.ts'
import { toolStats } from '../../server/store/invocation-stats.ts'
import { getInvocation } from '../../server/store/invocations.ts'
import { dayMs } from '../../server/store/row-values.ts'
import type { Store } from '../../server/store/store.ts'
import { quantile } from '../measured.ts'
import { toolAt, toolCount, wordAt } from './fill.ts'

export interface CallCost {
  readonly withoutP50Ms: number
  readonly withP50Ms: number
  readonly withP95Ms: number
  readonly extraP95Ms: number
}

const callCount = 400

/** A call that itself takes no time, and whose ending is read by somebody who then waits two milliseconds. */
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
    // A real session waits between its events: the writes of earlier calls come in between.
    await new Promise(resolve => setImmediate(resolve))
    yield event
  }
}

export async function callCost(store: Store): Promise<CallCost> {
  await timed(null)
  const without = await timed(null)
  // With the files of unfinished calls, as the program has them: without, a call waits for the store before it starts.
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

export interface SearchRow {
  readonly asked: string
  readonly found: number
  readonly p50Ms: number
  readonly p95Ms: number
}

type Random = () => number
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

export async function searchMix(store: Store, rounds: number): Promise<SearchRow[]> {
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
