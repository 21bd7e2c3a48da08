/** Fills a store with calls, through the functions that the program itself writes with. */

import { pseudoRandom } from '../../core/pattern/random.ts'
import { packInvocation, writeInvocations } from '../../server/store/invocations.ts'
import type { Store } from '../../server/store/store.ts'
import { callRows } from '../../server/store/text-search.ts'
import { callAt } from './make-calls.ts'

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
