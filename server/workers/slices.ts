/** Work of the main thread in slices, so that it answers others meanwhile. */
import { setImmediate } from 'node:timers/promises'
import type { Steps } from '../../core/slices.ts'

/** Milliseconds of a slice: what a request that comes meanwhile waits. */
const sliceMs = 10

/** Await it after each part of long work: it lets others run every ten milliseconds. */
export function turns(): () => Promise<void> | undefined {
  let last = performance.now()
  return () => {
    if (performance.now() - last < sliceMs) return undefined
    return setImmediate().then(() => {
      last = performance.now()
    })
  }
}

/** Does the steps in slices. */
export async function inSlices<Result>(steps: Steps<Result>): Promise<Result> {
  const turn = turns()
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
    const pause = turn()
    if (pause !== undefined) await pause
  }
}
