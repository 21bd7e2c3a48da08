import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { showDone } from '../../ui/toasts.ts'

/** Removes a source; a message offers to restore it. */
export function useRemoveSource(onRemoved?: (name: string) => void) {
  const backend = useBackend()
  const restoring = useRestoreSource()
  return useSourceChange(
    ({ name }: SourceState) => backend.request('DELETE /api/sources/{name}', { params: { name } }),
    (_, { name, origin }) => {
      const text =
        origin?.from === 'page' ? `${name} was removed.` : `${name} was removed until Toolscope ends.`
      showDone(text, () => restoring.mutate(name))
      onRemoved?.(name)
    },
  )
}

/** Opens a removed source again, by its name. */
export function useRestoreSource() {
  const backend = useBackend()
  return useSourceChange((name: string) =>
    backend.request('POST /api/sources/{name}/restore', { params: { name } }),
  )
}

/** Returns the actions for a source. `refused` says why the server does not allow them. */
export function useSourceActions(source: SourceState, onRemoved?: () => void) {
  const { name, status } = source
  const backend = useBackend()
  const acting = useSourceChange((act: 'refresh' | 'restart' | 'stop') =>
    backend.request(`POST /api/sources/{name}/${act}`, { params: { name } }),
  )
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
