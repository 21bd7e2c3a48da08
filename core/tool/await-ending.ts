import { AppError } from '../errors.ts'
import type { CallEvent, EndedEvent } from './invocation.ts'

/** Returns the ending of a call. @param onEvent receives the events before it */
export async function awaitEnding(
  events: AsyncIterable<CallEvent>,
  onEvent?: (event: Exclude<CallEvent, EndedEvent>) => unknown,
): Promise<EndedEvent> {
  for await (const event of events) {
    if (event.type === 'result' || event.type === 'failure') return event
    await onEvent?.(event)
  }
  throw new AppError('internal', 'a call ended without a result')
}
