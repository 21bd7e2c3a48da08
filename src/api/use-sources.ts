import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useBackend } from './backend.ts'
import { invalidate, sourcesQuery } from './queries.ts'

/** Returns all sources with their state; undefined until the first answer. */
export function useSources() {
  return useQuery({ ...sourcesQuery(useBackend()), select: list => list.sources })
}

/** Returns a mutation of the sources, which settles after the catalog was read again. */
export function useSourceChange<Result, Given = void>(
  change: (given: Given) => Promise<Result>,
  onSuccess: (result: Result, given: Given) => void = () => {},
) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess,
    onSettled: () => invalidate(client, 'catalog'),
  })
}
