import { infiniteQueryOptions, keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import type {
  HistoryPage,
  InvocationSummary,
  StoredInvocation,
  StoreState,
  ToolStats,
} from '../../core/api/history.ts'
import { getJson, send } from './request.ts'

/** Filters as they stand in a query string (core/history/history.ts, historyFilters). */
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

const one = (id: string) => `/api/history/${encodeURIComponent(id)}`

/** History over the routes of core/history/history.ts. */
export const httpHistory: HistoryBackend = {
  list: (query, cursor, signal) =>
    getJson(`/api/history?${new URLSearchParams({ ...query, ...(cursor && { cursor }) })}`, signal),
  get: (id, signal) => getJson(one(id), signal),
  async pin(id, pinned) {
    const headers = { 'content-type': 'application/json' }
    const response = await send(one(id), { method: 'PATCH', headers, body: JSON.stringify({ pinned }) })
    return (await response.json()) as InvocationSummary
  },
  async remove(id) {
    await send(one(id), { method: 'DELETE' })
  },
  async clear(query, includePinned) {
    const params = new URLSearchParams({ ...query, ...(includePinned && { includePinned: 'true' }) })
    const response = await send(`/api/history?${params}`, { method: 'DELETE' })
    const { deleted } = (await response.json()) as { deleted: number }
    return deleted
  },
  exportHref: query => `/api/history/export?${new URLSearchParams(query)}`,
  stats: (ref, signal) => getJson(`/api/tools/${encodeURIComponent(ref)}/stats`, signal),
  state: signal => getJson('/api/store', signal),
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
