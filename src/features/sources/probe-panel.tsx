import { useMutation } from '@tanstack/react-query'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './add-source.module.css'
import { kindText } from './source-status.ts'
import { texts } from './texts.ts'

interface ProbePanelProps {
  readonly entry: SourceEntry
  /** The source that is edited: it knows the masked secrets. */
  readonly edited: string | undefined
}

/** What is there: asked when the user wants it, and closed again. */
export function ProbePanel({ entry, edited }: ProbePanelProps) {
  const backend = useBackend()
  const probing = useMutation({
    mutationFn: () =>
      backend.request('POST /api/sources/probe', { body: withoutUndefined({ entry, name: edited }) }),
  })
  const refused = useRefusal('POST /api/sources/probe')
  const { data: found, error } = probing
  const button = (
    <Button onClick={() => probing.mutate()} disabled={probing.isPending} refused={refused}>
      {probing.isPending ? 'Asking…' : error ? commonTexts.tryAgain : 'Try it'}
    </Button>
  )
  if (error)
    return (
      <div className="stack">
        <ErrorNote error={error} />
        <div>{button}</div>
      </div>
    )
  return (
    <div className={styles.probe} role="status">
      {found === undefined ? (
        <span className="muted">
          {probing.isPending ? 'Starting it and reading its tools…' : 'Not started yet.'}
        </span>
      ) : (
        <span>
          <Dot tone={found.error === undefined ? 'ok' : 'warn'} /> <b>{kindText(found)}</b>
          {found.error === undefined ? ` · ${texts.listed(found)}` : ` · ${found.error.title}`}
          {found.serverInfo && (
            <span className="muted"> · {`${found.serverInfo.name} ${found.serverInfo.version}`}</span>
          )}
        </span>
      )}
      {button}
    </div>
  )
}
