import { once } from 'node:events'

/** Resolves when the command is told to end. */
export async function untilStopped(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
