import type { CatalogEvent, SourceChanged, StoreEvent } from '../../core/api/events.ts'
import type { Backend, LiveListener } from './backend.ts'
import { request, requestLines, requestText } from './request.ts'

/** The server that serves this page, over the contract in core/api. */
export const httpBackend: Backend = {
  has: () => true,
  request,
  requestText,
  requestLines,
  listen: listenToEvents,
}

/**
 * One stream of server-sent events. The browser reconnects by itself; after a gap the catalog may have changed
 * unseen, so a reconnection counts as a change.
 */
function listenToEvents(listener: LiveListener): () => void {
  const events = new EventSource('/api/events')
  let wasLost = false
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
    if (wasLost) {
      for (const what of ['sources', 'tools', 'agents'] as const)
        listener.onCatalogChanged({ what, source: '*' })
      for (const kind of ['invocation', 'snapshot', 'example', 'status'] as const)
        listener.onStoreChanged({ kind, id: '*' })
    }
    wasLost = false
  })
  events.addEventListener('error', () => {
    wasLost = true
    listener.onState('lost')
  })
  return () => events.close()
}
