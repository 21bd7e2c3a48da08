import { once } from 'node:events'

/** Resolves when the signal is aborted. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
