/** When calls are sent: so many at a time, or so many a second. */
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'

/** A timer of Node comes late by up to this; the rest of a wait is spent in turns of the event loop. */
const timerDelayMs = 2

export interface LoadPlan {
  /** Calls at the same time, each sent when the one before it has ended; or calls that are due each second. */
  readonly pace: { readonly concurrency: number } | { readonly perSecond: number; readonly maxCalls: number }
  /** No call is sent after it; those that were sent are waited for. */
  readonly durationMs: number
  /** All calls. */
  readonly count: number
  readonly signal: AbortSignal
}

export interface LoadEnd {
  /** Until the last call ended. */
  readonly elapsedMs: number
  /** Calls that were sent late, because as many as may be were running. */
  readonly late: number
  /** Calls that were due and still waited at the end: they were not sent. */
  readonly unsent: number
}

/**
 * Sends calls and waits for them.
 *
 * @param send makes one call; never rejects. `dueAt`: when it should have been sent, on the clock of `performance.now()`
 */
export async function runLoad(send: (dueAt: number) => Promise<void>, plan: LoadPlan): Promise<LoadEnd> {
  const { pace, durationMs, count, signal } = plan
  const startedAt = performance.now()
  const elapsedMs = () => performance.now() - startedAt
  let sent = 0
  const isOver = () => signal.aborted || sent >= count || elapsedMs() >= durationMs
  if ('concurrency' in pace) {
    const work = async () => {
      while (!isOver()) {
        sent += 1
        await send(performance.now())
      }
    }
    await Promise.all(Array.from({ length: pace.concurrency }, work))
    return { elapsedMs: elapsedMs(), late: 0, unsent: 0 }
  }
  const running = new Set<Promise<void>>()
  let late = 0
  let onEnd = () => {}
  const due = Math.min(count, Math.ceil((durationMs / 1000) * pace.perSecond))
  while (sent < due && !signal.aborted) {
    const dueAt = startedAt + (sent * 1000) / pace.perSecond
    await until(dueAt, signal)
    if (running.size >= pace.maxCalls) {
      late += 1
      await new Promise<void>(resolve => {
        onEnd = resolve
      })
      // Those that still wait would be sent long after the end where the tool is slow.
      if (isOver()) break
    }
    if (signal.aborted) break
    sent += 1
    const call = send(dueAt).then(() => {
      running.delete(call)
      onEnd()
    })
    running.add(call)
  }
  await Promise.all(running)
  return { elapsedMs: elapsedMs(), late, unsent: signal.aborted ? 0 : due - sent }
}

/** Lets other work go on, also where the time has come already. */
async function until(time: number, signal: AbortSignal): Promise<void> {
  const waitMs = time - performance.now() - timerDelayMs
  if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => {})
  do await nextTurn()
  while (performance.now() < time && !signal.aborted)
}
