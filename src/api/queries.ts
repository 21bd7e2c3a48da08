import { keepPreviousData, QueryClient, type QueryKey, queryOptions } from '@tanstack/react-query'
import type { Connection } from '../../core/api/clients.ts'
import type { LintQuery, PromptQuery } from '../../core/api/prompt.ts'
import type { ToolFilter } from '../../core/catalog/rows.ts'
import { AppError } from '../../core/errors.ts'
import type { AnswerTo, Backend, KeyOf, RequestTo } from './backend.ts'
import { givenSide, isDropped } from './dropped-manifests.ts'
import { anySource } from './stale-queries.ts'

export type RowsQuery = NonNullable<RequestTo<'GET /api/rows'>['query']>

/** Number of rows in one request. */
export const rowWindow = 100

/** Returns a client whose data stays fresh until the server reports a change of the catalog. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 60_000,
        refetchOnWindowFocus: false,
        // A repeated request does not change the server's refusal.
        retry: (count, error) => !(error instanceof AppError) && count < 2,
      },
    },
  })
}

/** The prefix of all queries that depend on the catalog, so that one change refreshes all of them. */
const catalogKey = 'catalog'

/** Refetches all queries of a family after a part of it was added, changed or removed, here or in another replica. */
export function invalidate(
  client: QueryClient,
  family: 'catalog' | 'versions' | 'examples' | 'history' | 'store-state' | 'pins',
): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey.slice(0, 2).includes(family) })
}

/** Returns the query of one endpoint, disabled if the backend does not have the endpoint. */
export function endpointQuery<Of extends KeyOf<'json'>>(
  backend: Backend,
  queryKey: QueryKey,
  key: Of,
  given: RequestTo<Of>,
) {
  return queryOptions<AnswerTo<Of>>({
    queryKey,
    queryFn: ({ signal }) => backend.request(key, { ...given, signal }),
    enabled: backend.has(key),
  })
}

export function sourcesQuery(backend: Backend) {
  return endpointQuery(backend, [catalogKey, 'sources'], 'GET /api/sources', {})
}

/** Other programs write these files, so they are read again each time they are shown. */
export function clientsQuery(backend: Backend) {
  return {
    ...endpointQuery(backend, [catalogKey, 'clients'], 'GET /api/clients', {}),
    refetchOnMount: 'always' as const,
  }
}

/** A server keeps its rights as long as it runs. */
export function rightsQuery(backend: Backend) {
  return endpointQuery(backend, ['rights'], 'GET /api/rights', {})
}

export function trustQuery(backend: Backend) {
  return endpointQuery(backend, [catalogKey, 'trust'], 'GET /api/trust', {})
}

export function agentsQuery(backend: Backend) {
  return endpointQuery(backend, [catalogKey, 'agents'], 'GET /api/agents', {})
}

/** Not part of the catalog: a log grows by itself, and is read again while it is shown. */
export function sourceLogQuery(backend: Backend, name: string) {
  return {
    ...endpointQuery(backend, ['log', name], 'GET /api/sources/{name}/log', { params: { name } }),
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 2_000,
  }
}

/** The entry that the user gave for a source, read again for each form. */
export function sourceEntryQuery(backend: Backend, name: string) {
  const params = { name }
  return {
    ...endpointQuery(backend, ['entry', name], 'GET /api/sources/{name}/entry', { params }),
    gcTime: 0,
  }
}

/** Not cached, because the file may have been edited. */
export function configChangeQuery(backend: Backend, name: string) {
  const params = { name }
  const key = 'GET /api/sources/{name}/config-change'
  return { ...endpointQuery(backend, ['config-change', name], key, { params }), gcTime: 0, staleTime: 0 }
}

export function connectQuery(
  backend: Backend,
  name: string,
  query: { readonly client: Connection['client']; readonly via?: Connection['via'] },
) {
  const key = 'GET /api/sources/{name}/connect'
  const part = endpointQuery(backend, ['connect', name, query], key, { params: { name }, query })
  return { ...part, gcTime: 0, staleTime: 0 }
}

export function buildRowsQuery(backend: Backend, query: RowsQuery) {
  return endpointQuery(backend, [catalogKey, 'rows', query], 'GET /api/rows', { query })
}

export function toolQuery(backend: Backend, ref: string) {
  return endpointQuery(backend, [catalogKey, 'tool', ref], 'GET /api/tools/{+ref}', { params: { ref } })
}

/** Key of the time (ISO 8601) when a subscribed resource last changed; the live events set it. */
export const resourceChangeKey = (source: string, uri: string) => ['resource-change', source, uri] as const

/** A source's versions; with `ref`, those that changed this tool. They depend on the catalog: the open one is in it. */
export function versionsQuery(backend: Backend, name: string, limit: number, ref?: string) {
  const queryKey = [catalogKey, 'versions', name, ref ?? null, limit]
  const query = { limit }
  const options =
    ref === undefined
      ? endpointQuery(backend, queryKey, 'GET /api/sources/{name}/versions', { params: { name }, query })
      : endpointQuery(backend, queryKey, 'GET /api/tools/{+ref}/versions', { params: { ref }, query })
  return { ...options, placeholderData: keepPreviousData }
}

/** @param looked the versions that the user saw last: `acme@3,files@2` */
export function changesQuery(backend: Backend, looked: string) {
  const queryKey = [catalogKey, 'versions', anySource, looked]
  return {
    ...endpointQuery(backend, queryKey, 'GET /api/changes', { query: { looked } }),
    placeholderData: keepPreviousData,
  }
}

/** The files may have been edited, so they are read again whenever they are shown. */
export function examplesQuery(backend: Backend, ref: string) {
  return {
    ...endpointQuery(backend, ['examples', ref], 'GET /api/examples', { query: { ref } }),
    staleTime: 0,
    refetchOnWindowFocus: true,
  }
}

/** The contract scores of all tools that generated tests have called. */
export function scoresQuery(backend: Backend) {
  return endpointQuery(backend, [catalogKey, 'scores'], 'GET /api/generated-checks/scores', {})
}

/**
 * Compares two sides by reference; a dropped file is sent as text. Read again when the catalog changes, because a side
 * can be an open source.
 */
export function diffQuery(backend: Backend, a: string, b: string, strict: boolean) {
  const queryKey = [catalogKey, 'diff', a, b, ...(strict ? ['strict'] : [])]
  if (![a, b].some(isDropped))
    return endpointQuery(backend, queryKey, 'GET /api/diff', {
      query: { a, b, ...(strict && { strict: '1' }) },
    })
  return queryOptions<AnswerTo<'GET /api/diff'>>({
    queryKey,
    queryFn: ({ signal }) =>
      backend.request('POST /api/diff', { body: { a: givenSide(a), b: givenSide(b), strict }, signal }),
    enabled: backend.has('POST /api/diff'),
  })
}

export function toolSearchQuery(backend: Backend, q: string) {
  const query = { q, limit: 30, surface: '1' as const }
  return {
    ...endpointQuery(backend, [catalogKey, 'search', q], 'GET /api/tools', { query }),
    placeholderData: keepPreviousData,
  }
}

/** The first tool of the catalog that fits the filters. */
export function firstToolsQuery(backend: Backend, filter: readonly ToolFilter[]) {
  const query = { filter: [...filter], limit: 1 }
  return endpointQuery(backend, [catalogKey, 'search', query], 'GET /api/tools', { query })
}

/** Keeps the previous prompt until the next one is counted. */
export function promptQuery(backend: Backend, body: PromptQuery) {
  return {
    ...endpointQuery(backend, [catalogKey, 'prompt', body], 'POST /api/prompt', { body }),
    placeholderData: keepPreviousData,
  }
}

export function lintQuery(backend: Backend, body: LintQuery) {
  return {
    ...endpointQuery(backend, [catalogKey, 'lint', body], 'POST /api/lint', { body }),
    placeholderData: keepPreviousData,
  }
}

export function consoleCommandsQuery(backend: Backend) {
  return endpointQuery(backend, [catalogKey, 'commands'], 'GET /api/commands', {})
}
