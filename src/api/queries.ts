import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query'
import type { CatalogEvent } from '../../core/api/events.ts'
import type { LintQuery, PromptQuery } from '../../core/api/prompt.ts'
import { AppError } from '../../core/errors.ts'
import type { Backend, RowsQuery } from './backend.ts'
import { isStale } from './stale-queries.ts'

/** How many rows one request brings. */
export const rowWindow = 100

/** Data stay as they are until the server says that the catalog changed; nothing is asked for twice. */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        // The server's own refusals will not change by asking again.
        retry: (count, error) => !(error instanceof AppError) && count < 2,
      },
    },
  })
}

/** Everything that depends on the catalog; one prefix, so that one change refreshes all of it. */
const catalogKey = 'catalog'

export function invalidateCatalog(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [catalogKey] })
}

/** Reads again what an event of the catalog makes stale, and nothing else. */
export function invalidateByEvent(client: QueryClient, event: CatalogEvent): Promise<void> {
  return client.invalidateQueries({
    queryKey: [catalogKey],
    predicate: query => isStale(query, event),
  })
}

export function sourcesQuery(backend: Backend) {
  return queryOptions({
    queryKey: [catalogKey, 'sources'],
    queryFn: ({ signal }) => backend.sources(signal),
  })
}

export function agentsQuery(backend: Backend) {
  return queryOptions({
    queryKey: [catalogKey, 'agents'],
    queryFn: ({ signal }) => backend.agents?.(signal) ?? [],
  })
}

/** Not of the catalog's data: a log grows by itself, and is asked for again while it is shown. */
export function sourceLogQuery(backend: Backend, name: string) {
  return queryOptions({
    queryKey: ['log', name],
    queryFn: ({ signal }) => backend.sourceLog?.(name, signal) ?? '',
    staleTime: 0,
    gcTime: 0,
    refetchInterval: 2_000,
  })
}

export function rowsQuery(backend: Backend, query: RowsQuery) {
  return queryOptions({
    queryKey: [catalogKey, 'rows', query],
    queryFn: ({ signal }) => backend.rows(query, signal),
    gcTime: 60_000,
  })
}

export function toolQuery(backend: Backend, ref: string) {
  return queryOptions({
    queryKey: [catalogKey, 'tool', ref],
    queryFn: ({ signal }) => backend.tool(ref, signal),
  })
}

/** Asked for anew when a version was kept or named, and when the catalog changes: one of them is what is open. */
const versionsKey = 'versions'

export function invalidateVersions(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[1] === versionsKey })
}

/** A source's versions; with `ref` those that touched this tool. */
export function versionsQuery(backend: Backend, source: string, limit: number, ref?: string) {
  return queryOptions({
    queryKey: [catalogKey, versionsKey, source, ref ?? null, limit],
    queryFn: ({ signal }) => {
      const asked =
        ref === undefined
          ? backend.sourceVersions?.(source, limit, signal)
          : backend.toolVersions?.(ref, limit, signal)
      return asked ?? { versions: [], more: false, kept: false }
    },
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
}

const examplesKey = 'examples'

/** Another page, or another replica, kept or forgot one. */
export function invalidateExamples(client: QueryClient): Promise<void> {
  return client.invalidateQueries({ queryKey: [examplesKey] })
}

/** Files may have been edited meanwhile: read again whenever they are shown. */
export function examplesQuery(backend: Backend, ref: string) {
  return queryOptions({
    queryKey: [examplesKey, ref],
    queryFn: ({ signal }) => {
      if (!backend.examples) throw new AppError('internal', 'There are no examples here.')
      return backend.examples(ref, signal)
    },
    staleTime: 0,
    refetchOnWindowFocus: true,
  })
}

/** Compared anew when the catalog changes: a side may be an open source. */
export function diffQuery(backend: Backend, a: string, b: string) {
  return queryOptions({
    queryKey: [catalogKey, 'diff', a, b],
    queryFn: ({ signal }) => {
      if (!backend.diff) throw new AppError('internal', 'Manifests cannot be compared here.')
      return backend.diff(a, b, signal)
    },
    gcTime: 60_000,
  })
}

export function toolSearchQuery(backend: Backend, q: string) {
  return queryOptions({
    queryKey: [catalogKey, 'search', q],
    queryFn: ({ signal }) => backend.searchTools(q, 30, signal),
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
}

/** The prompt before stays until the next one is counted. */
export function promptQuery(backend: Backend, query: PromptQuery) {
  return queryOptions({
    queryKey: [catalogKey, 'prompt', query],
    queryFn: ({ signal }) => backend.prompt?.(query, signal),
    enabled: backend.prompt !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
}

export function lintQuery(backend: Backend, query: LintQuery) {
  return queryOptions({
    queryKey: [catalogKey, 'lint', query],
    queryFn: ({ signal }) => backend.lint?.(query, signal),
    enabled: backend.lint !== undefined,
    placeholderData: keepPreviousData,
    gcTime: 30_000,
  })
}

export function consoleCommandsQuery(backend: Backend) {
  return queryOptions({
    queryKey: [catalogKey, 'commands'],
    queryFn: ({ signal }) => backend.consoleCommands?.(signal) ?? [],
  })
}
