import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type LoadPlan, runLoad } from './run-load.ts'

const base = {
  durationMs: Number.POSITIVE_INFINITY,
  count: Number.POSITIVE_INFINITY,
  signal: new AbortController().signal,
}

/** Runs a load of calls that take some time: when each was due and was sent, and the most at the same time. */
async function load(plan: Partial<LoadPlan> & Pick<LoadPlan, 'pace'>, callMs: number) {
  let [running, most] = [0, 0]
  const calls: { readonly dueAt: number; readonly sentAt: number }[] = []
  const end = await runLoad(
    async dueAt => {
      calls.push({ dueAt, sentAt: performance.now() })
      running += 1
      most = Math.max(most, running)
      await sleep(callMs)
      running -= 1
    },
    { ...base, ...plan },
  )
  return { end, calls, most, running }
}

test('so many at a time, until all are made', async () => {
  const { end, calls, most, running } = await load({ pace: { concurrency: 3 }, count: 10 }, 5)
  expect([calls.length, most, running]).toEqual([10, 3, 0])
  expect(end).toMatchObject({ late: 0, unsent: 0 })
})

test('until the time is over; what runs is waited for', async () => {
  const { end, calls, running } = await load({ pace: { concurrency: 2 }, durationMs: 30 }, 100)
  expect([calls.length, running]).toEqual([2, 0])
  expect(end.elapsedMs).toBeGreaterThanOrEqual(98)
})

test('at a rate, calls are due in even steps and do not wait for earlier ones', async () => {
  const pace = { perSecond: 100, maxCalls: 100 }
  const { end, calls, most } = await load({ pace, durationMs: 200 }, 100)
  expect(calls).toHaveLength(20)
  expect(most).toBeGreaterThan(5)
  expect(end).toMatchObject({ late: 0, unsent: 0 })
  const [first] = calls
  for (const [index, { dueAt, sentAt }] of calls.entries()) {
    expect(dueAt - (first?.dueAt ?? 0)).toBeCloseTo(index * 10, 3)
    expect(sentAt).toBeGreaterThanOrEqual(dueAt)
  }
})

test('a call that waits for a place is still due at its own time', async () => {
  const { end, calls } = await load({ pace: { perSecond: 100, maxCalls: 1 }, count: 5 }, 50)
  expect(end).toMatchObject({ late: 4, unsent: 0 })
  const last = calls.at(-1)
  // Due after 40 ms, sent after four calls of 50 ms.
  expect((last?.sentAt ?? 0) - (last?.dueAt ?? 0)).toBeGreaterThan(150)
})

test('what still waits at the end is counted and not sent', async () => {
  const { end, calls } = await load({ pace: { perSecond: 100, maxCalls: 1 }, durationMs: 200 }, 300)
  expect([calls.length, end.late, end.unsent]).toEqual([1, 1, 19])
})

test.each([{ concurrency: 2 }, { perSecond: 100, maxCalls: 1 }])('a stop ends it: %j', async pace => {
  const abort = new AbortController()
  setTimeout(() => abort.abort(), 50)
  const { end, calls } = await load({ pace, signal: abort.signal }, 20)
  expect(calls.length).toBeGreaterThan(0)
  expect(end.unsent).toBe(0)
  expect(end.elapsedMs).toBeLessThan(2_000)
})
