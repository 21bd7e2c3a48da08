import { useQuery } from '@tanstack/react-query'
import { useBackend } from './backend.ts'
import { sourcesQuery } from './queries.ts'

/** All sources with their state; undefined until the first answer. */
export function useSources() {
  return useQuery({ ...sourcesQuery(useBackend()), select: list => list.sources })
}
