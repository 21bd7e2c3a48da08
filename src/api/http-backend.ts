import type { LiveChanges } from '../../core/api/events.ts'
import type { Backend, LiveListener } from './backend.ts'
import { request, requestLines, requestText } from './request.ts'

/** The server that serves this page, through the contract in core/api. */
export const httpBackend: Backend = {
  has: () => true,
  request,
  requestText,
  requestLines,
  listen: listenToEvents,
}

/** Pause before an event stream is opened again after the browser gave up. */
const retryMs = 2_000

/**
 * Opens one stream of server-sent events, again and again until the returned function is called. A hidden page has no
 * stream. Each stream begins with the changes since the last one, or says that they are not known.
 */
function listenToEvents(listener: LiveListener): () => void {
  let after: string | undefined
  let events: EventSource | undefined
  let retry: ReturnType<typeof setTimeout> | undefined
  const open = () => {
    const opened = new EventSource(`/api/events${after === undefined ? '' : `?after=${after}`}`)
    events = opened
    events.addEventListener('changes', event => {
      after = event.lastEventId
      listener.onChanges(JSON.parse(event.data) as LiveChanges)
    })
    events.addEventListener('open', () => listener.onState('live'))
    events.addEventListener('error', () => {
      // The browser reconnects by itself, except after an answer that is not a stream: then we ask for the reason.
      if (opened.readyState !== EventSource.CLOSED) return listener.onState('lost')
      void isSignedOut().then(signedOut => {
        if (events !== opened) return
        listener.onState(signedOut ? 'signed-out' : 'lost')
        retry = setTimeout(open, retryMs)
      })
    })
  }
  const close = () => {
    clearTimeout(retry)
    events?.close()
    events = undefined
  }
  const follow = () => {
    close()
    if (document.visibilityState === 'visible') open()
  }
  follow()
  document.addEventListener('visibilitychange', follow)
  return () => {
    document.removeEventListener('visibilitychange', follow)
    close()
  }
}

async function isSignedOut(): Promise<boolean> {
  const answer = await fetch('/api/rights').catch(() => undefined)
  return answer?.status === 401
}
