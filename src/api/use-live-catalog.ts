import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LiveListener, type LiveState, useBackend } from './backend.ts'
import { invalidate, invalidateByEvent } from './queries.ts'

/** The queries that each change of the store makes stale. */
const families = {
  invocation: 'history',
  snapshot: 'versions',
  example: 'examples',
  status: 'store-state',
} as const

/**
 * Refetches the stale queries of the catalog and of the store while mounted. Returns whether the server is reachable.
 * @param news receives the other events; must be the same object in every render
 */
export function useLiveCatalog(news: Pick<LiveListener, 'onSourceChanged' | 'onNotice'>): LiveState {
  const backend = useBackend()
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('live')
  useEffect(
    () =>
      backend.listen?.({
        onCatalogChanged: event => void invalidateByEvent(client, event),
        onStoreChanged: ({ kind }) => void invalidate(client, families[kind]),
        onState: setState,
        onSourceChanged: changed => {
          void invalidate(client, 'versions')
          news.onSourceChanged(changed)
        },
        onNotice: news.onNotice,
      }),
    [backend, client, news],
  )
  return state
}
