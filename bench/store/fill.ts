/** Fills a store with calls, through the functions that the program itself writes with. */
import { randomUUID } from 'node:crypto'
import { pseudoRandom } from '../../core/validation/random.ts'
import type { InvocationRecord } from '../../server/store/invocation-record.ts'
import { packInvocation, writeInvocations } from '../../server/store/invocations.ts'
import { dayMs } from '../../server/store/row-values.ts'
import type { Store } from '../../server/store/store.ts'
import { callRows } from '../../server/store/text-search.ts'

export const toolCount = 500
const sourceCount = 20
/** Over which the calls are spread, newest now. */
const days = 90

const syllables = 'ba cor del fin gra hu jen kal lom mir nos pra qui ren'.split(' ')

/** The n-th word of a made-up language. */
export function wordAt(rank: number): string {
  let word = ''
  for (let rest = rank + 14; rest > 0; rest = Math.floor(rest / syllables.length))
    word += syllables[rest % syllables.length]
  return word
}

/** Few words often, many seldom: rank r about as often as 1/r, of 20,000. */
function someWords(random: () => number, count: number): string {
  return Array.from({ length: count }, () => wordAt(Math.floor(20_000 ** random()))).join(' ')
}

export function toolAt(index: number): { source: string; tool: string; ref: string } {
  const source = `source-${index % sourceCount}`
  const tool = `${wordAt(index)} ${wordAt(index * 7)}`
  return { source, tool, ref: `${source}/${tool}` }
}

/** The `index`-th of `total` calls, oldest first. A word that only old calls hold is `bygone`. */
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

const batchSize = 500

/** Resolves to the seconds that it took; not a row more once `maxSeconds` are over. What is there already stays. */
export async function fill(
  store: Store,
  rows: number,
  maxSeconds: number,
): Promise<{ seconds: number; filled: number }> {
  const before = await countOf(store)
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

async function countOf(store: Store): Promise<number> {
  const row = await callRows(store)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirst()
  return row?.count ?? 0
}
