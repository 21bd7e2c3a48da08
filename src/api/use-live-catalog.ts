import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LiveListener, type LiveState, useBackend } from './backend.ts'
import { invalidateHistory, invalidateStoreState } from './history.ts'
import { invalidateByEvent, invalidateExamples, invalidateVersions } from './queries.ts'

/**
 * Keeps every query of the catalog and of the memory fresh while mounted. Returns whether the server can be heard.
 * @param news told what else there is to know; the same object on every rendering
 */
export function useLiveCatalog(news: Pick<LiveListener, 'onSourceChanged' | 'onNotice'>): LiveState {
  const backend = useBackend()
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('live')
  useEffect(
    () =>
      backend.listen?.({
        onCatalogChanged: event => void invalidateByEvent(client, event),
        onStoreChanged: ({ kind }) => {
          if (kind === 'invocation') void invalidateHistory(client)
          if (kind === 'snapshot') void invalidateVersions(client)
          if (kind === 'example') void invalidateExamples(client)
          if (kind === 'status') void invalidateStoreState(client)
        },
        onState: setState,
        onSourceChanged: changed => {
          void invalidateVersions(client)
          news.onSourceChanged(changed)
        },
        onNotice: news.onNotice,
      }),
    [backend, client, news],
  )
  return state
}
