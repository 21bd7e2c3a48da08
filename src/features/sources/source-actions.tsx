import { Play, RefreshCw, RotateCw, ScrollText, Square, Trash2 } from 'lucide-react'
import type { SourceState } from '../../../core/api/sources.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { SourceMenu } from './source-menu.tsx'
import { sourceWords } from './source-status.ts'
import { texts } from './texts.ts'
import { useSourceActions } from './use-source-actions.ts'

interface SourceActionsProps {
  readonly source: SourceState
  readonly logOpen: boolean
  readonly onLogOpen: (open: boolean) => void
  readonly onRemoved: () => void
  readonly onRenamed: (name: string) => void
}

/** What can be done with a source; nothing where sources cannot be opened. */
export function SourceActions({ source, logOpen, onLogOpen, onRemoved, onRenamed }: SourceActionsProps) {
  const actions = useSourceActions(source, onRemoved)
  const { act, remove, isBusy, refused, refusedRead } = actions
  if (!actions.isOffered) return null
  const { status } = source
  const words = sourceWords(source.kind)
  const stopped = status === 'stopped'
  const removing = (
    <Button onClick={() => remove()} disabled={isBusy} refused={refused}>
      <Trash2 size={14} aria-hidden /> {texts.remove}
    </Button>
  )
  // Only trust starts it: TrustNote asks for that.
  if (source.trusted === false) return removing
  return (
    <>
      {source.hasLog && (
        <Button aria-expanded={logOpen} onClick={() => onLogOpen(!logOpen)}>
          <ScrollText size={14} aria-hidden /> {texts.log}
        </Button>
      )}
      {!stopped && (
        <Button onClick={() => act('refresh')} disabled={isBusy} refused={refusedRead}>
          <RefreshCw size={14} aria-hidden /> {isBusy ? texts.reading : texts.refresh}
        </Button>
      )}
      {!stopped && status !== 'failed' && (
        <Button onClick={() => act('stop')} disabled={isBusy} refused={refused}>
          <Square size={14} aria-hidden /> {words.stop}
        </Button>
      )}
      <Button
        look={stopped ? 'primary' : 'plain'}
        onClick={() => act('restart')}
        disabled={isBusy}
        refused={refused}
      >
        {stopped ? <Play size={14} aria-hidden /> : <RotateCw size={14} aria-hidden />}
        {stopped ? words.start : words.restart}
      </Button>
      {removing}
      <SourceMenu source={source} actions={actions} settingsOnly onRenamed={onRenamed} />
      <ErrorNote error={actions.error} />
    </>
  )
}
