import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  HistoryPage,
  InvocationSummary,
  StoredInvocation,
  StoreState,
  ToolStats,
} from '../../core/api/history.ts'
import { addressOf, type RequestTo, request } from './request.ts'

/** Filters as they stand in a query string (core/api/history.ts, historyFilters). */
export type HistoryQuery = Readonly<Record<string, string>>

/** The calls that were kept. */
export interface HistoryBackend {
  list(query: HistoryQuery, cursor: string | undefined, signal: AbortSignal): Promise<HistoryPage>
  get(id: string, signal: AbortSignal): Promise<StoredInvocation>
  pin(id: string, pinned: boolean): Promise<InvocationSummary>
  remove(id: string): Promise<void>
  /** Deletes what matches; returns how many. Pinned calls stay unless told. */
  clear(query: HistoryQuery, includePinned: boolean): Promise<number>
  /** Where what matches can be downloaded as JSON Lines. */
  exportHref(query: HistoryQuery): string
  stats(ref: string, signal: AbortSignal): Promise<ToolStats>
  /** Whether anything is kept at all, and where. */
  state(signal: AbortSignal): Promise<StoreState>
}

/** The filters come from the URL, which features/history reads by the same lists of values. */
const filtersOf = (query: HistoryQuery) => query as NonNullable<RequestTo<'GET /api/history'>['query']>

export const httpHistory: HistoryBackend = {
  list: (query, cursor, signal) =>
    request('GET /api/history', { query: { ...filtersOf(query), cursor }, signal }),
  get: (id, signal) => request('GET /api/history/{id}', { params: { id }, signal }),
  pin: (id, pinned) => request('PATCH /api/history/{id}', { params: { id }, body: { pinned } }),
  async remove(id) {
    await request('DELETE /api/history/{id}', { params: { id } })
  },
  async clear(query, includePinned) {
    const pinnedToo = includePinned ? { includePinned: 'true' as const } : {}
    const answer = await request('DELETE /api/history', { query: { ...filtersOf(query), ...pinnedToo } })
    return answer.deleted
  },
  exportHref: query => addressOf('GET /api/history/export', { query }),
  stats: (ref, signal) => request('GET /api/tools/{ref}/stats', { params: { ref }, signal }),
  state: signal => request('GET /api/store', { signal }),
}

const historyKey = 'history'
const stateKey = 'store-state'

/** A call was added, changed or removed, here or in another replica. */
export function invalidateHistory(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [historyKey] })
}

export function invalidateStoreState(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [stateKey] })
}

export function historyListQuery(history: HistoryBackend, query: HistoryQuery) {
  return infiniteQueryOptions({
    queryKey: [historyKey, 'list', query],
    queryFn: ({ signal, pageParam }) => history.list(query, pageParam, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
}

export function storedCallQuery(history: HistoryBackend, id: string) {
  return queryOptions({
    queryKey: [historyKey, 'call', id],
    queryFn: ({ signal }) => history.get(id, signal),
    gcTime: 60_000,
  })
}

export function toolStatsQuery(history: HistoryBackend, ref: string) {
  return queryOptions({
    queryKey: [historyKey, 'stats', ref],
    queryFn: ({ signal }) => history.stats(ref, signal),
    gcTime: 60_000,
  })
}

export function storeStateQuery(history: HistoryBackend) {
  return queryOptions({ queryKey: [stateKey], queryFn: ({ signal }) => history.state(signal) })
}
