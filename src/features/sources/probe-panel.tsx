import { useMutation } from '@tanstack/react-query'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { plural } from '../../ui/format.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './add-source.module.css'
import { kindText } from './source-status.ts'

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
          {found.error === undefined ? ` · ${listedText(found)}` : ` · ${found.error.title}`}
          {found.serverInfo && (
            <span className="muted"> · {`${found.serverInfo.name} ${found.serverInfo.version}`}</span>
          )}
        </span>
      )}
      {button}
    </div>
  )
}

/** How many entries each of its lists has. Prompts, resources and templates are left out when there are none. */
function listedText({ toolCount, surface }: SourceState): string {
  const { prompts = 0, resources = 0, templates = 0 } = surface ?? {}
  const others = [
    prompts > 0 && plural(prompts, 'prompt'),
    resources > 0 && plural(resources, 'resource'),
    templates > 0 && plural(templates, 'resource template'),
  ]
  return [plural(toolCount, 'tool'), ...others].filter(Boolean).join(', ')
}
