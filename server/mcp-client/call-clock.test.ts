import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CallClock } from './call-clock.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const started = (limits: ConstructorParameters<typeof CallClock>[0]) =>
  new CallClock(limits, new AbortController().signal)

it('call clock: ends at the limit, less the time that has passed before', () => {
  const clock = started({ timeoutMs: 1_000, waitedMs: 400 })
  vi.advanceTimersByTime(599)
  expect(clock.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(clock.reason).toBe('timeout')
})

it('call clock: ignores progress if that does not reset the limit', () => {
  const clock = started({ timeoutMs: 1_000 })
  vi.advanceTimersByTime(900)
  clock.addProgress()
  vi.advanceTimersByTime(100)
  expect(clock.reason).toBe('timeout')
})

it('call clock: starts the limit again with each progress, and ends at the longest time', () => {
  const clock = started({ timeoutMs: 1_000, longestMs: 2_500 })
  for (let index = 0; index < 2; index++) {
    vi.advanceTimersByTime(900)
    clock.addProgress()
  }
  vi.advanceTimersByTime(699)
  expect(clock.signal.aborted).toBe(false)
  clock.addProgress()
  vi.advanceTimersByTime(1)
  expect(clock.reason).toBe('longest-time')
})

it('call clock: ends at the limit after the last progress', () => {
  const clock = started({ timeoutMs: 1_000, longestMs: 10_000 })
  vi.advanceTimersByTime(500)
  clock.addProgress()
  vi.advanceTimersByTime(1_000)
  expect(clock.reason).toBe('timeout')
})

it('call clock: counts neither the limit nor the longest time while it is paused', () => {
  const clock = started({ timeoutMs: 1_000, longestMs: 2_000 })
  clock.pause()
  vi.advanceTimersByTime(60_000)
  clock.addProgress()
  vi.advanceTimersByTime(60_000)
  clock.resume()
  vi.advanceTimersByTime(999)
  expect(clock.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(clock.reason).toBe('timeout')
})
