import type { CatalogEvent, SourceChanged, StoreEvent } from '../../core/api/events.ts'
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
 * Opens one stream of server-sent events, again and again until the returned function is called. Each opening counts as
 * a change, because the page may have missed changes before it.
 */
function listenToEvents(listener: LiveListener): () => void {
  let hasGap = true
  let isEnded = false
  let events: EventSource | undefined
  const open = () => {
    if (isEnded) return
    const opened = new EventSource('/api/events')
    events = opened
    events.addEventListener('catalog', event =>
      listener.onCatalogChanged(JSON.parse(event.data) as CatalogEvent),
    )
    events.addEventListener('changed', event =>
      listener.onSourceChanged(JSON.parse(event.data) as SourceChanged),
    )
    events.addEventListener('notice', event => listener.onNotice(String(JSON.parse(event.data))))
    events.addEventListener('store', event => listener.onStoreChanged(JSON.parse(event.data) as StoreEvent))
    events.addEventListener('open', () => {
      listener.onState('live')
      if (hasGap) {
        for (const what of ['sources', 'tools', 'agents'] as const)
          listener.onCatalogChanged({ what, source: '*' })
        for (const kind of ['invocation', 'snapshot', 'example', 'status'] as const)
          listener.onStoreChanged({ kind, id: '*' })
      }
      hasGap = false
    })
    events.addEventListener('error', () => {
      hasGap = true
      // The browser reconnects by itself, except after an answer that is not a stream: then we ask for the reason.
      if (opened.readyState !== EventSource.CLOSED) return listener.onState('lost')
      void isSignedOut().then(signedOut => {
        if (isEnded) return
        listener.onState(signedOut ? 'signed-out' : 'lost')
        setTimeout(open, retryMs)
      })
    })
  }
  open()
  return () => {
    isEnded = true
    events?.close()
  }
}

async function isSignedOut(): Promise<boolean> {
  const answer = await fetch('/api/rights').catch(() => undefined)
  return answer?.status === 401
}
