import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Tag, X } from 'lucide-react'
import { useState } from 'react'
import { toAppError } from '../../../core/errors.ts'
import { isLabel } from '../../../core/manifest/reference.ts'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import { Button } from '../../ui/button.tsx'
import { join } from '../../ui/join.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './timeline.module.css'

interface VersionLabelsProps {
  readonly source: string
  readonly number: number
  readonly labels: readonly string[]
  readonly editable: boolean
}

/** The labels of a version, each with a button to remove it, and a field to add one. */
export function VersionLabels({ source, number, labels, editable }: VersionLabelsProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const [text, setText] = useState<string>()
  const change = useMutation({
    mutationFn: async (act: () => Promise<unknown>) => act(),
    onSuccess: () => setText(undefined),
    onSettled: () => invalidate(client, 'versions'),
  })
  const setLabel = (label: string) =>
    change.mutate(() =>
      backend.request('PUT /api/sources/{name}/versions/{number}/labels/{label}', {
        params: { name: source, number, label },
      }),
    )
  const canEdit = editable && backend.has('PUT /api/sources/{name}/versions/{number}/labels/{label}')
  const refused = useRefusal('PUT /api/sources/{name}/versions/{number}/labels/{label}')
  const wanted = text?.trim() ?? ''
  const wrong = wanted !== '' && !isLabel(wanted)
  return (
    <>
      {labels.map(label => (
        <span key={label} className={styles.label}>
          <Tag size={11} aria-hidden /> {label}
          {canEdit && (
            <button
              type="button"
              className={styles.remove}
              aria-label={`Remove the label ${label}`}
              disabled={refused !== undefined}
              title={refused}
              onClick={() =>
                change.mutate(() =>
                  backend.request('DELETE /api/sources/{name}/labels/{label}', {
                    params: { name: source, label },
                  }),
                )
              }
            >
              <X size={12} aria-hidden />
            </button>
          )}
        </span>
      ))}
      {canEdit && text === undefined && (
        <button
          type="button"
          className={join('link', styles.add)}
          aria-label={`Label ${source}@${number}`}
          disabled={refused !== undefined}
          title={refused}
          onClick={() => setText('')}
        >
          Label…
        </button>
      )}
      {text !== undefined && (
        <form
          className={join('row wrap', styles.form)}
          onSubmit={event => {
            event.preventDefault()
            if (wanted !== '' && !wrong) setLabel(wanted)
          }}
          onKeyDown={event => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setText(undefined)
          }}
        >
          <input
            // biome-ignore lint/a11y/noAutofocus: the user has just pressed the button that opens it
            autoFocus
            className="text-field"
            aria-label={`Label for ${source}@${number}`}
            aria-invalid={wrong}
            value={text}
            maxLength={64}
            placeholder="release-2.1"
            onChange={event => setText(event.target.value)}
          />
          <Button type="submit" disabled={wanted === '' || wrong || change.isPending}>
            {commonTexts.save}
          </Button>
          <Button look="quiet" onClick={() => setText(undefined)}>
            {commonTexts.cancel}
          </Button>
          {wrong && (
            <span className={styles.wrong}>Letters, digits, “.”, “_”, “+”, “-”; no number, no date.</span>
          )}
        </form>
      )}
      {change.error && <span className={styles.wrong}>{toAppError(change.error).detail}</span>}
    </>
  )
}
