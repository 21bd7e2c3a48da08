/**
 * Runs work that ends with one of several signals, or with a time limit. Use it instead of `AbortSignal.any` and
 * `AbortSignal.timeout`: a combined signal of Node refers to its parts only weakly, so a limit that nothing else refers
 * to is lost with the next garbage collection (https://github.com/nodejs/node/issues/57736). If one of the parts lives
 * long, it also keeps memory of every combination until then.
 */
import { once, setMaxListeners } from 'node:events'

/** The longest time that a timer accepts. */
const maxTimerMs = 2 ** 31 - 1

/**
 * Calls `onAbort` once, with the reason of the first signal that aborts; immediately if one is aborted. Returns a
 * function that stops listening.
 */
export function listenForAbort(
  signals: readonly AbortSignal[],
  onAbort: (reason: unknown) => void,
): () => void {
  const stopListening = () => {
    for (const signal of signals) signal.removeEventListener('abort', onEvent)
  }
  const onEvent = () => {
    stopListening()
    onAbort(signals.find(signal => signal.aborted)?.reason)
  }
  if (signals.some(signal => signal.aborted)) onEvent()
  else
    for (const signal of signals) {
      // Node warns of a leak above 10 listeners; the caller stops listening when its work has ended.
      setMaxListeners(0, signal)
      signal.addEventListener('abort', onEvent)
    }
  return stopListening
}

/**
 * Runs the work with a signal that aborts with the first of `signals`, with its reason. Settles as the work does, which
 * may end in its own way when the signal aborts. The signal aborts only until then: the work includes the reading of a
 * body.
 */
export async function runWithSignals<Result>(
  signals: readonly AbortSignal[],
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController()
  const stopListening = listenForAbort(signals, reason => controller.abort(reason))
  try {
    return await run(controller.signal)
  } finally {
    stopListening()
  }
}

/**
 * Like `runWithSignals`, with a time limit. Rejects as soon as the signal aborts, even if the work continues: with the
 * reason of the first of `signals`, or after `timeoutMs` milliseconds with a DOMException `TimeoutError`, as
 * `AbortSignal.timeout` does (https://dom.spec.whatwg.org/#dom-abortsignal-timeout).
 */
export async function runWithLimit<Result>(
  signals: readonly AbortSignal[],
  timeoutMs: number,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = new AbortController()
  const end = () => limit.abort(new DOMException('The time limit is over', 'TimeoutError'))
  const timer = setTimeout(end, Math.min(timeoutMs, maxTimerMs))
  try {
    return await runWithSignals([...signals, limit.signal], signal =>
      Promise.race([run(signal), rejectOnAbort(signal)]),
    )
  } finally {
    clearTimeout(timer)
  }
}

/** Whether `runWithLimit` rejected because the time was over. */
export const isTimeLimit = (thrown: unknown): boolean =>
  thrown instanceof DOMException && thrown.name === 'TimeoutError'

function rejectOnAbort(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    listenForAbort([signal], reject)
  })
}

/** Resolves when the signal is aborted. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
