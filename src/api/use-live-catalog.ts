import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { type LiveState, useBackend } from './backend.ts'
import { invalidateHistory, invalidateStoreState } from './history.ts'
import { invalidateCatalog } from './queries.ts'

/** Keeps every query of the catalog and of the history fresh while mounted. Returns whether the server can be heard. */
export function useLiveCatalog(): LiveState {
  const backend = useBackend()
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('live')
  useEffect(
    () =>
      backend.listen?.({
        onCatalogChanged: () => void invalidateCatalog(client),
        onStoreChanged: ({ kind }) => {
          if (kind === 'invocation') void invalidateHistory(client)
          if (kind === 'status') void invalidateStoreState(client)
        },
        onState: setState,
      }),
    [backend, client],
  )
  return state
}
