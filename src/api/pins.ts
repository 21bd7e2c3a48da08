import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { PinList } from '../../core/api/pins.ts'
import { type RequestTo, useBackend } from './backend.ts'
import { endpointQuery, invalidate } from './queries.ts'

const key = ['catalog', 'pins']
const reviewKey = 'GET /api/sources/{name}/pin'

/** Returns the state of each source against what was approved of it. */
export function usePins() {
  return useQuery(endpointQuery(useBackend(), key, 'GET /api/pins', {}))
}

/** Returns what of a source is not as approved. @param isWanted false asks for nothing: the server compares for an answer */
export function usePinReview(name: string, isWanted = true) {
  const backend = useBackend()
  const query = endpointQuery(backend, [...key, name], reviewKey, { params: { name } })
  return useQuery({ ...query, enabled: isWanted && backend.has(reviewKey) })
}

type Approval = RequestTo<'PUT /api/sources/{name}/pin'>['body']

/** Returns a mutation that approves what was shown of a source. It fails as `pin-changed` if that has changed since. */
export function useApproval(name: string) {
  const backend = useBackend()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (body: Approval) =>
      backend.request('PUT /api/sources/{name}/pin', { params: { name }, body }),
    onSuccess: review => client.setQueryData([...key, name], review),
    onSettled: () => invalidate(client, 'pins'),
  })
}

/** Returns a mutation that removes the approval of a source. */
export function useApprovalRemoval(name: string) {
  const backend = useBackend()
  const client = useQueryClient()
  return useMutation({
    mutationFn: (): Promise<PinList> =>
      backend.request('DELETE /api/sources/{name}/pin', { params: { name } }),
    onSuccess: pins => client.setQueryData(key, pins),
    onSettled: () => invalidate(client, 'pins'),
  })
}
