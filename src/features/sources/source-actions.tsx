import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Play, RefreshCw, RotateCw, ScrollText, Square } from 'lucide-react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidateCatalog } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { sourceWords } from './source-status.ts'

interface SourceActionsProps {
  readonly source: SourceState
  readonly logOpen: boolean
  readonly onLogOpen: (open: boolean) => void
}

/** What can be done with a source; an action that it does not know is not shown. */
export function SourceActions({ source, logOpen, onLogOpen }: SourceActionsProps) {
  const { refreshSource, restartSource, stopSource, sourceLog } = useBackend()
  const client = useQueryClient()
  const acting = useMutation({
    mutationFn: async (act: (name: string) => Promise<SourceState>) => act(source.name),
    onSettled: () => invalidateCatalog(client),
  })
  const { status } = source
  const words = sourceWords(source.kind)
  const busy = acting.isPending || status === 'opening' || status === 'starting'
  const stopped = status === 'stopped'
  return (
    <>
      {sourceLog && source.hasLog && (
        <Button aria-expanded={logOpen} onClick={() => onLogOpen(!logOpen)}>
          <ScrollText size={14} aria-hidden /> Log
        </Button>
      )}
      {refreshSource && !stopped && (
        <Button onClick={() => acting.mutate(refreshSource)} disabled={busy}>
          <RefreshCw size={14} aria-hidden /> {busy ? 'Reading…' : 'Read again'}
        </Button>
      )}
      {stopSource && !stopped && status !== 'failed' && (
        <Button onClick={() => acting.mutate(stopSource)} disabled={busy}>
          <Square size={14} aria-hidden /> {words.stop}
        </Button>
      )}
      {restartSource && (
        <Button
          look={stopped ? 'primary' : 'plain'}
          onClick={() => acting.mutate(restartSource)}
          disabled={busy}
        >
          {stopped ? <Play size={14} aria-hidden /> : <RotateCw size={14} aria-hidden />}
          {stopped ? words.start : words.restart}
        </Button>
      )}
      <ErrorNote error={acting.error} />
    </>
  )
}
