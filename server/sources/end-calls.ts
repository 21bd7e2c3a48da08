/** A source that is closed ends what it was asked: no call goes on behind it. */
import { setMaxListeners } from 'node:events'
import type { SessionEvent } from '../../core/call/invocation.ts'
import type { Session } from './source.ts'

/** Makes `close` cancel the session's running calls, and later ones. They say why. */
export function endCallsOnClose(session: Session): Session {
  const { call } = session
  if (call === undefined) return session
  const closing = new AbortController()
  // Every running call listens; that is no leak.
  setMaxListeners(0, closing.signal)
  const close = session.close.bind(session)
  session.call = (tool, input, options) => {
    const signal = AbortSignal.any([options.signal, closing.signal])
    return explained(call.call(session, tool, input, { ...options, signal }), closing.signal, options.signal)
  }
  session.close = () => {
    closing.abort()
    return close()
  }
  return session
}

async function* explained(
  events: AsyncIterable<SessionEvent>,
  closed: AbortSignal,
  asked: AbortSignal,
): AsyncGenerator<SessionEvent> {
  for await (const event of events) {
    const byClosing =
      event.type === 'failure' && event.reason === 'cancelled' && closed.aborted && !asked.aborted
    yield byClosing
      ? { ...event, message: 'The source was closed while the call ran.', hint: 'Start it, and call again.' }
      : event
  }
}
