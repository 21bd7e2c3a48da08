import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { showDone } from '../live/toasts.ts'
import { texts } from './texts.ts'

/** Removes a source; a message offers the way back. */
export function useRemoveSource(onRemoved?: (name: string) => void) {
  const backend = useBackend()
  const client = useQueryClient()
  const onSettled = () => invalidate(client, 'catalog')
  const restoring = useMutation({
    mutationFn: (name: string) => backend.request('POST /api/sources/{name}/restore', { params: { name } }),
    onSettled,
  })
  return useMutation({
    mutationFn: ({ name }: SourceState) =>
      backend.request('DELETE /api/sources/{name}', { params: { name } }),
    onSuccess: (_, { name, origin }) => {
      const until = origin?.from === 'page' ? '' : texts.untilToolscopeEnds
      showDone(texts.wasRemoved(name, until), () => restoring.mutate(name))
      onRemoved?.(name)
    },
    onSettled,
  })
}

/** What can be done with a source, wherever it is shown. `refused` says why the server does not allow it. */
export function useSourceActions(source: SourceState, onRemoved?: () => void) {
  const { name, status } = source
  const backend = useBackend()
  const client = useQueryClient()
  const params = { name }
  const acting = useMutation({
    mutationFn: (act: 'refresh' | 'restart' | 'stop') =>
      backend.request(`POST /api/sources/{name}/${act}`, { params }),
    onSettled: () => invalidate(client, 'catalog'),
  })
  const removing = useRemoveSource(onRemoved)
  return {
    act: acting.mutate,
    remove: () => removing.mutate(source),
    isBusy: acting.isPending || removing.isPending || status === 'opening' || status === 'starting',
    error: acting.error ?? removing.error,
    refused: useRefusal('POST /api/sources/{name}/restart'),
    refusedRead: useRefusal('POST /api/sources/{name}/refresh'),
    isOffered: backend.has('POST /api/sources/{name}/restart'),
  }
}

export type SourceAct = ReturnType<typeof useSourceActions>
