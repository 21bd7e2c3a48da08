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
 * Keeps every query of the catalog and of the store fresh while mounted. Returns whether the server can be reached.
 * @param news gets what else there is to know; the same object on every rendering
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
