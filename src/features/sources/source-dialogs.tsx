import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { sourceEntryQuery } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/notes.tsx'
import type { TextFile } from '../../ui/text-file.ts'
import { commonTexts } from '../../ui/texts.ts'
import { AddForm } from './add-form.tsx'
import styles from './add-source.module.css'
import { EditForm } from './edit-form.tsx'
import { FromClient, useClientServerCount } from './from-client.tsx'
import { SaveToConfig } from './save-to-config.tsx'
import { texts } from './texts.ts'

export interface AddSourceDialogProps {
  /** Files that were dropped on the page. */
  readonly files: readonly TextFile[]
  /** Whether the servers of other clients are shown at once. */
  readonly showsClients?: boolean
  readonly onClose: () => void
  readonly onAdded: (source: SourceState) => void
}

/** "Add source" and then, if the user wants to save it, the change to toolscope.json. */
export function AddSourceDialog({ files, showsClients = false, onClose, onAdded }: AddSourceDialogProps) {
  const [saved, setSaved] = useState<SourceState>()
  const count = useClientServerCount()
  const done = (source: SourceState) => {
    onClose()
    onAdded(source)
  }
  return (
    <Dialog
      open
      wide
      title={saved ? texts.saveToConfig : commonTexts.addSource}
      onOpenChange={() => (saved ? done(saved) : onClose())}
    >
      {saved ? (
        <SaveToConfig name={saved.name} onClose={() => done(saved)} />
      ) : (
        <>
          <AddForm
            files={files}
            onDone={(source, saves) => (saves ? setSaved(source) : done(source))}
            onCancel={onClose}
          />
          <details className={styles.clients} open={showsClients}>
            <summary>
              {texts.fromAnotherClient}{' '}
              {count !== undefined && count > 0 && <span className="muted">{count}</span>}
            </summary>
            <FromClient onOpened={done} />
          </details>
        </>
      )}
    </Dialog>
  )
}

interface EditSourceDialogProps {
  readonly name: string
  readonly onClose: () => void
  /** @param name the new one */
  readonly onSaved: (name: string) => void
}

/** Changes how a source is opened, or its name. If that fails, the source stays as it is. */
export function EditSourceDialog({ name, onClose, onSaved }: EditSourceDialogProps) {
  const { data: entry, error } = useQuery({
    ...sourceEntryQuery(useBackend(), name),
    select: answer => answer.entry,
  })
  return (
    <Dialog open wide title={`Edit ${name}`} onOpenChange={onClose}>
      <ErrorNote error={error} />
      {entry && (
        <EditForm
          name={name}
          entry={entry}
          onSaved={source => {
            onClose()
            onSaved(source.name)
          }}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}
