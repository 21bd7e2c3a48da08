import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LiveListener, type LiveState, useBackend } from './backend.ts'
import { invalidateCatalog } from './queries.ts'

/**
 * Keeps every query of the catalog fresh while mounted. Returns whether the server can be heard.
 * @param news told what else there is to know; the same object on every rendering
 */
export function useLiveCatalog(news: Pick<LiveListener, 'onSourceChanged' | 'onNotice'>): LiveState {
  const backend = useBackend()
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('live')
  useEffect(
    () =>
      backend.listen?.({
        onCatalogChanged: () => void invalidateCatalog(client),
        onState: setState,
        ...news,
      }),
    [backend, client, news],
  )
  return state
}
