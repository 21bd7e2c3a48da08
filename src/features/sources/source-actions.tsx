import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Play, RefreshCw, RotateCw, ScrollText, Square, Trash2 } from 'lucide-react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { showDone } from '../live/toasts.ts'
import { sourceWords } from './source-status.ts'

interface SourceActionsProps {
  readonly source: SourceState
  readonly logOpen: boolean
  readonly onLogOpen: (open: boolean) => void
  readonly onRemoved: () => void
}

/** What can be done with a source; nothing where sources cannot be opened. */
export function SourceActions({ source, logOpen, onLogOpen, onRemoved }: SourceActionsProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const acting = useMutation({
    mutationFn: (act: 'refresh' | 'restart' | 'stop') =>
      backend.request(`POST /api/sources/{name}/${act}`, { params: { name: source.name } }),
    onSettled: () => invalidate(client, 'catalog'),
  })
  const restoring = useMutation({
    mutationFn: () => backend.request('POST /api/sources/{name}/restore', { params: { name: source.name } }),
    onSettled: () => invalidate(client, 'catalog'),
  })
  const removing = useMutation({
    mutationFn: () => backend.request('DELETE /api/sources/{name}', { params: { name: source.name } }),
    onSuccess: async () => {
      showDone(`${source.name} was removed.`, restoring.mutate)
      onRemoved()
      await invalidate(client, 'catalog')
    },
  })
  const refused = useRefusal('POST /api/sources/{name}/restart')
  const refusedRead = useRefusal('POST /api/sources/{name}/refresh')
  if (!backend.has('POST /api/sources/{name}/restart')) return null
  // Only trust starts it: TrustNote asks for that.
  if (source.trusted === false) return null
  const { status } = source
  const words = sourceWords(source.kind)
  const busy = acting.isPending || status === 'opening' || status === 'starting'
  const stopped = status === 'stopped'
  return (
    <>
      {source.hasLog && (
        <Button aria-expanded={logOpen} onClick={() => onLogOpen(!logOpen)}>
          <ScrollText size={14} aria-hidden /> Log
        </Button>
      )}
      {!stopped && (
        <Button onClick={() => acting.mutate('refresh')} disabled={busy} refused={refusedRead}>
          <RefreshCw size={14} aria-hidden /> {busy ? 'Reading…' : 'Read again'}
        </Button>
      )}
      {!stopped && status !== 'failed' && (
        <Button onClick={() => acting.mutate('stop')} disabled={busy} refused={refused}>
          <Square size={14} aria-hidden /> {words.stop}
        </Button>
      )}
      <Button
        look={stopped ? 'primary' : 'plain'}
        onClick={() => acting.mutate('restart')}
        disabled={busy}
        refused={refused}
      >
        {stopped ? <Play size={14} aria-hidden /> : <RotateCw size={14} aria-hidden />}
        {stopped ? words.start : words.restart}
      </Button>
      <Button onClick={() => removing.mutate()} disabled={removing.isPending} refused={refused}>
        <Trash2 size={14} aria-hidden /> Remove
      </Button>
      <ErrorNote error={acting.error ?? removing.error} />
    </>
  )
}
