import { useQuery } from '@tanstack/react-query'
import type { TrustState } from '../../../core/api/trust.ts'
import { useBackend } from '../../api/backend.ts'
import { trustQuery } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { useSourceChange } from '../../api/use-sources.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import { createStore, useStore } from '../../ui/value-store.ts'
import { texts } from './texts.ts'
import styles from './trust-dialog.module.css'

/** The postponed list, and whether the user has opened the dialog for it again. */
const answer = createStore<{ readonly putOff?: string; readonly reviews?: boolean }>({})

/** Closes the dialog until the list changes or the user reviews it. */
export const closeTrustDialog = ({ fingerprint }: TrustState) => answer.set({ putOff: fingerprint })

/** Opens the dialog again. */
export const reopenTrustDialog = () => answer.set({ ...answer.get(), reviews: true })

/**
 * Asks once for each list of commands that the folder's configuration would start. None of them runs before the answer.
 */
export function TrustDialog() {
  const backend = useBackend()
  const { putOff, reviews = false } = useStore(answer)
  const { data: trust } = useQuery(trustQuery(backend))
  const trusting = useSourceChange(
    ({ fingerprint }: TrustState) => backend.request('PUT /api/trust', { body: { fingerprint } }),
    () => answer.set({}),
  )
  const refused = useRefusal('PUT /api/trust')
  const pending = trust?.items.filter(({ trusted }) => !trusted) ?? []
  if (!trust || refused !== undefined || pending.length === 0 || (putOff === trust.fingerprint && !reviews))
    return null
  const notNow = () => closeTrustDialog(trust)
  return (
    <Dialog open onOpenChange={notNow} title="Trust this folder?">
      <p>
        <code className={styles.file}>{trust.file}</code> starts these programs. They run on the computer that
        runs Toolscope, with the permissions of its user, and only after you agree.
      </p>
      <dl className={styles.items}>
        {pending.map(({ name, starts }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>
              <code>{starts}</code>
            </dd>
          </div>
        ))}
      </dl>
      <p className="muted">
        Trust is remembered for this folder. When the list changes, you are asked again. You can remove it on
        a source’s page.
      </p>
      <ErrorNote error={trusting.error} />
      <DialogActions>
        <Button onClick={notNow}>Not now</Button>
        <Button look="primary" disabled={trusting.isPending} onClick={() => trusting.mutate(trust)}>
          {texts.trust}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
