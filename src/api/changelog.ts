import { infiniteQueryOptions, keepPreviousData } from '@tanstack/react-query'
import type { VersionKind } from '../../core/api/versions.ts'
import type { Backend } from './backend.ts'

/** The changes in each version of a source, page by page. It becomes stale with the versions (stale-queries.ts). */
export function changelogQuery(backend: Backend, name: string, kind: VersionKind | undefined) {
  return infiniteQueryOptions({
    queryKey: ['catalog', 'versions', name, 'changelog', kind ?? null],
    queryFn: ({ signal, pageParam }) =>
      backend.request('GET /api/sources/{name}/changelog', {
        params: { name },
        query: { kind, cursor: pageParam },
        signal,
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: page => page.nextCursor,
    placeholderData: keepPreviousData,
    enabled: backend.has('GET /api/sources/{name}/changelog'),
  })
}
