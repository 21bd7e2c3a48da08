import { type FormEvent, useState } from 'react'
import type { SourceEntry } from '../../../core/api/source-entry.ts'
import type { SourceState } from '../../../core/api/sources.ts'
import { withoutUndefined } from '../../../core/json/json.ts'
import { useBackend } from '../../api/backend.ts'
import { useSourceChange, useSources } from '../../api/use-sources.ts'
import { commonTexts } from '../../ui/texts.ts'
import styles from './add-source.module.css'
import { type EntryDraft, hasValidLimits, nameProblem, toEntryDraft, toSourceEntry } from './entry-draft.ts'
import { AddressSettings, NameField, ProgramSettings, TextField } from './entry-fields.tsx'
import { FormFoot } from './form-foot.tsx'
import { texts } from './texts.ts'

interface EditFormProps {
  readonly name: string
  readonly entry: SourceEntry
  readonly onSaved: (source: SourceState) => void
  readonly onCancel: () => void
}

/** Changes how a source is opened, or its name. A source that cannot be opened in the new way stays as it was. */
export function EditForm({ name, entry: before, onSaved, onCancel }: EditFormProps) {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const [draft, setDraft] = useState<EntryDraft>(() => toEntryDraft(before, name))
  const taken = new Set(sources.map(source => source.name).filter(each => each !== name))
  const entry = toSourceEntry(draft)
  const wrongName = nameProblem(draft.name, taken)
  const sending = useSourceChange(
    () =>
      backend.request('PUT /api/sources/{name}', {
        params: { name },
        body: withoutUndefined({ entry, name: draft.name.trim() || undefined }),
      }),
    onSaved,
  )
  const change = (part: Partial<EntryDraft>) => {
    setDraft(now => ({ ...now, ...part }))
    sending.reset()
  }
  const isComplete = wrongName === undefined && hasValidLimits(draft) && entry !== undefined
  const fields = { draft, onChange: change, nameProblem: wrongName }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (isComplete && !sending.isPending) sending.mutate()
  }
  return (
    <form className={styles.form} onSubmit={submit}>
      {draft.kind === 'command' && (
        <>
          <TextField label={texts.command} value={draft.line} onChange={line => change({ line })} />
          <ProgramSettings {...fields} />
        </>
      )}
      {draft.kind === 'url' && (
        <>
          <TextField label="Address" value={draft.url} onChange={url => change({ url })} />
          <AddressSettings {...fields} />
        </>
      )}
      {draft.kind === 'text' && <NameField {...fields} />}
      <FormFoot
        words={[commonTexts.save, 'Saving…']}
        refusal="Not saved. The source is open as before."
        sending={sending}
        isComplete={isComplete}
        entry={entry}
        edited={name}
        onCancel={onCancel}
      />
    </form>
  )
}
