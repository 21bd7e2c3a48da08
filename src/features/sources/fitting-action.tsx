import { Link } from '@tanstack/react-router'
import type { SourceState } from '../../../core/api/sources.ts'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { sourceWords } from './source-status.ts'
import { texts } from './texts.ts'
import { reopenTrustDialog } from './trust-dialog.tsx'
import type { SourceAct } from './use-source-actions.ts'

/** The next action that the source needs. */
export function FittingAction({
  source,
  actions: { act, isBusy, refused, refusedRead, isOffered },
}: {
  readonly source: SourceState
  readonly actions: SourceAct
}) {
  const { status, trusted } = source
  if (!isOffered) return null
  if (trusted === false)
    return (
      <Button onClick={reopenTrustDialog} refused={refused}>
        {texts.reviewAndTrust}
      </Button>
    )
  if (source.signIn === 'needed')
    return (
      <Link
        to="/"
        search={{ about: source.name }}
        className={join(buttonStyles.button, buttonStyles.primary)}
      >
        {texts.signIn}
      </Link>
    )
  if (status === 'stopped')
    return (
      <Button onClick={() => act('restart')} disabled={isBusy} refused={refused}>
        {sourceWords(source.kind).start}
      </Button>
    )
  if (status === 'failed')
    return (
      <Button onClick={() => act('restart')} disabled={isBusy} refused={refused}>
        Retry
      </Button>
    )
  return (
    <Button look="quiet" onClick={() => act('refresh')} disabled={isBusy} refused={refusedRead}>
      {isBusy ? texts.reading : texts.refresh}
    </Button>
  )
}
