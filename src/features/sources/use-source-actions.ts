import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { showDone } from '../live/toasts.ts'
import { texts } from './texts.ts'

/** What can be done with a source, wherever it is shown. `refused` says why the server does not allow it. */
export function useSourceActions({ name, status, origin }: SourceState, onRemoved?: () => void) {
  const backend = useBackend()
  const client = useQueryClient()
  const params = { name }
  const onSettled = () => invalidate(client, 'catalog')
  const acting = useMutation({
    mutationFn: (act: 'refresh' | 'restart' | 'stop') =>
      backend.request(`POST /api/sources/{name}/${act}`, { params }),
    onSettled,
  })
  const restoring = useMutation({
    mutationFn: () => backend.request('POST /api/sources/{name}/restore', { params }),
    onSettled,
  })
  const removing = useMutation({
    mutationFn: () => backend.request('DELETE /api/sources/{name}', { params }),
    onSuccess: () => {
      const until = origin?.from === 'page' ? '' : texts.untilToolscopeEnds
      showDone(texts.wasRemoved(name, until), restoring.mutate)
      onRemoved?.()
    },
    onSettled,
  })
  return {
    act: acting.mutate,
    remove: removing.mutate,
    isBusy: acting.isPending || removing.isPending || status === 'opening' || status === 'starting',
    error: acting.error ?? removing.error,
    refused: useRefusal('POST /api/sources/{name}/restart'),
    refusedRead: useRefusal('POST /api/sources/{name}/refresh'),
    isOffered: backend.has('POST /api/sources/{name}/restart'),
  }
}

export type SourceAct = ReturnType<typeof useSourceActions>
