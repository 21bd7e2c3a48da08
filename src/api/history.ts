import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { Backend, RequestTo } from './backend.ts'
import { endpointQuery } from './queries.ts'

/** Filters as in the query string. */
export type HistoryQuery = Omit<NonNullable<RequestTo<'GET /api/history'>['query']>, 'cursor' | 'limit'>

export function historyListQuery(backend: Backend, query: HistoryQuery) {
  return infiniteQueryOptions({
    queryKey: ['history', 'list', query],
    queryFn: ({ signal, pageParam }) =>
      backend.request('GET /api/history', { query: { ...query, cursor: pageParam }, signal }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    placeholderData: keepPreviousData,
  })
}

/** The newest calls of all tools. */
export function recentCallsQuery(backend: Backend) {
  return endpointQuery(backend, ['history', 'recent'], 'GET /api/history', { query: { limit: 6 } })
}

export function storedCallQuery(backend: Backend, id: string) {
  return endpointQuery(backend, ['history', 'call', id], 'GET /api/history/{id}', { params: { id } })
}

export function toolStatsQuery(backend: Backend, ref: string) {
  return endpointQuery(backend, ['history', 'stats', ref], 'GET /api/tools/{ref}/stats', { params: { ref } })
}

export function storeStateQuery(backend: Backend) {
  return endpointQuery(backend, ['store-state'], 'GET /api/store', {})
}
