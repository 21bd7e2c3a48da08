/** What remembering costs a call: the same calls with and without it, one after the other. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CallEvent } from '../../core/call/invocation.ts'
import { History } from '../../server/history/history.ts'
import { testCall } from '../../server/history/testkit.ts'
import type { Store } from '../../server/store/store.ts'
import { quantile } from '../measured.ts'

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
