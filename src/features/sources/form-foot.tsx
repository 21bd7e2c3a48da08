import { useMutation } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { toAppError } from '../../../core/errors.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { useBackend } from '../../api/backend.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Dot } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { plural } from '../../ui/format.ts'
import { ErrorNote } from '../../ui/notes.tsx'
import { commonTexts } from '../../ui/texts.ts'
import styles from './add-source.module.css'
import { kindText } from './source-status.ts'

interface FormFootProps {
  /** The button's text, while it can be pressed and while it works. */
  readonly words: readonly [submit: string, submitting: string]
  /** The beginning of the error's title: `Not added.` */
  readonly refusal: string
  readonly sending: { readonly isPending: boolean; readonly error: unknown }
  readonly isComplete: boolean
  /** The entry that "Try it" opens; absent if there is none. */
  readonly entry: SourceEntry | undefined
  /** The name of the edited source. */
  readonly edited?: string
  readonly onCancel: (() => void) | undefined
  /** More choices, next to the buttons. */
  readonly children?: ReactNode
}

/** The end of a source's form: "Try it", or the error of the last attempt, and the buttons. */
export function FormFoot(props: FormFootProps) {
  const { words, refusal, sending, isComplete, entry, edited, onCancel, children } = props
  const refused = useRefusal('POST /api/sources')
  const { isPending, error } = sending
  return (
    <div className={styles.foot}>
      {error ? (
        <ErrorNote error={error} title={`${refusal} ${toAppError(error).toShape().title}`} />
      ) : (
        entry !== undefined && <ProbePanel key={JSON.stringify(entry)} entry={entry} edited={edited} />
      )}
      <div className="row wrap">
        {children}
        <span className="grow" />
        {onCancel && <Button onClick={onCancel}>{commonTexts.cancel}</Button>}
        <Button look="primary" type="submit" disabled={!isComplete || isPending} refused={refused}>
          {isPending ? words[1] : error ? commonTexts.tryAgain : words[0]}
        </Button>
      </div>
    </div>
  )
}

interface ProbePanelProps {
  readonly entry: SourceEntry
  /** The name of the edited source, for which the server knows the masked secrets. */
  readonly edited: string | undefined
}

/** Tries the entry when the user asks for it: opens the source, lists it, and closes it again. */
function ProbePanel({ entry, edited }: ProbePanelProps) {
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

/** Returns the number of entries of each kind. Prompts, resources and templates are omitted if there are none. */
function listedText({ toolCount, surface }: SourceState): string {
  const { prompts = 0, resources = 0, templates = 0, skills = 0 } = surface ?? {}
  const others = [
    prompts > 0 && plural(prompts, 'prompt'),
    resources > 0 && plural(resources, 'resource'),
    templates > 0 && plural(templates, 'resource template'),
    skills > 0 && plural(skills, 'skill'),
  ]
  return [plural(toolCount, 'tool'), ...others].filter(Boolean).join(', ')
}
