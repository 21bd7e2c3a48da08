import { infiniteQueryOptions, keepPreviousData, type QueryClient } from '@tanstack/react-query'
import type { Backend, RequestTo } from './backend.ts'
import { endpointQuery } from './queries.ts'

/** Filters as they are in a query string. */
export type HistoryQuery = Omit<NonNullable<RequestTo<'GET /api/history'>['query']>, 'cursor' | 'limit'>

const historyKey = 'history'
const stateKey = 'store-state'

/** A call was added, changed or removed, here or in another replica. */
export function invalidateHistory(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [historyKey] })
}

export function invalidateStoreState(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [stateKey] })
}

export function historyListQuery(backend: Backend, query: HistoryQuery) {
  return infiniteQueryOptions({
    queryKey: [historyKey, 'list', query],
    queryFn: ({ signal, pageParam }) =>
      backend.request('GET /api/history', { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    placeholderData: keepPreviousData,
  })
}

export function storedCallQuery(backend: Backend, id: string) {
  return endpointQuery(backend, [historyKey, 'call', id], 'GET /api/history/{id}', { params: { id } })
}

export function toolStatsQuery(backend: Backend, ref: string) {
  return endpointQuery(backend, [historyKey, 'stats', ref], 'GET /api/tools/{ref}/stats', { params: { ref } })
}

export function storeStateQuery(backend: Backend) {
  return endpointQuery(backend, [stateKey], 'GET /api/store', {})
}
