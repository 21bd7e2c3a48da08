/** Divides work of the main thread into slices, so that it can answer requests in between. */
import { setImmediate } from 'node:timers/promises'
import type { Slices } from '../../core/slices.ts'

/** Milliseconds of a slice: the longest delay of another request. */
const sliceMs = 10

/** Await the result after each part of long work: it lets other work run every ten milliseconds. */
export function turns(): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    if (performance.now() - last < sliceMs) return undefined
    return setImmediate().then(() => {
      last = performance.now()
    })
  }
}

export async function inSlices<Result>(steps: Slices<Result>): Promise<Result> {
  const turn = turns()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const pause = turn()
    if (pause !== undefined) await pause
  }
}

/** Like `Promise.all` over `start` of each item, but the starts are in slices. `start` may reject. */
export async function startInSlices<Item, Result>(
  items: readonly Item[],
  start: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const turn = turns()
  const started: Promise<Result>[] = []
  for (const item of items) {
    const result = start(item)
    // Its failure is reported at the end, not while others are started.
    result.catch(() => {})
    started.push(result)
    await turn()
  }
  return Promise.all(started)
}
