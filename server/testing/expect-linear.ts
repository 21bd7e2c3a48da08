/** For tests of what thousands of things cost: processor time, because a busy machine changes the elapsed time. */
import { expect } from 'vitest'

const few = 1_000

/** Rounds at most. Garbage collection and a busy machine only ever add time, so the fastest run of each size counts. */
const maxRounds = 12

/**
 * Fails if 4,000 take over six times the processor time of 1,000.
 *
 * @param work prepares, and returns what is timed
 */
export async function expectLinear(
  work: (count: number) => (() => unknown) | Promise<() => unknown>,
): Promise<void> {
  const timed = async (count: number) => {
    const act = await work(count)
    const started = process.cpuUsage()
    await act()
    return process.cpuUsage(started).user / 1000
  }
  await timed(few)
  let one = Number.POSITIVE_INFINITY
  let four = Number.POSITIVE_INFINITY
  const ratio = () => four / Math.max(one, 5)
  for (let round = 1; round <= maxRounds && (round <= 3 || ratio() >= 6); round++) {
    one = Math.min(one, await timed(few))
    four = Math.min(four, await timed(4 * few))
  }
  console.log(`${few}: ${one.toFixed(1)} ms, ${4 * few}: ${four.toFixed(1)} ms`)
  expect(ratio()).toBeLessThan(6)
}
