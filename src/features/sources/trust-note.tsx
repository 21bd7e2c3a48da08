import { ShieldCheck, ShieldQuestion } from 'lucide-react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './source-page.module.css'
import { texts } from './texts.ts'
import { putOffTrust, reviewTrust } from './trust-dialog.tsx'

/** Whether the user trusts the configuration that names this source, and the way to change that. */
export function TrustNote({ source: { trusted } }: { readonly source: SourceState }) {
  const backend = useBackend()
  const withdrawing = useSourceChange(() => backend.request('DELETE /api/trust', {}), putOffTrust)
  const refused = useRefusal('PUT /api/trust')
  if (trusted === undefined || !backend.has('PUT /api/trust')) return null
  return (
    <section className="row wrap" aria-label={texts.trust}>
      <span className="row">
        {trusted ? (
          <ShieldCheck size={16} aria-hidden className={styles.icon} />
        ) : (
          <ShieldQuestion size={16} aria-hidden className={styles.icon} />
        )}
        {trusted
          ? 'toolscope.json names this source, and you trust what it starts.'
          : 'toolscope.json names this source. It does not run until you trust what it starts.'}
      </span>
      {trusted ? (
        <Button onClick={() => withdrawing.mutate()} disabled={withdrawing.isPending} refused={refused}>
          Remove trust
        </Button>
      ) : (
        <Button look="primary" onClick={reviewTrust} refused={refused}>
          {texts.reviewAndTrust}
        </Button>
      )}
      <ErrorNote error={withdrawing.error} />
    </section>
  )
}
