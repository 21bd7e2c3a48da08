import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { SourceState } from '../../../core/api/sources.ts'
import { useBackend } from '../../api/backend.ts'
import { sourceEntryQuery } from '../../api/queries.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import type { TextFile } from '../../ui/text-file.ts'
import { commonTexts } from '../../ui/texts.ts'
import type { EntryTab } from './entry-draft.ts'
import { SaveToConfig } from './save-to-config.tsx'
import { SourceForm } from './source-form.tsx'
import { texts } from './texts.ts'

export interface AddSourceDialogProps {
  /** Files that were dropped on the page. */
  readonly files: readonly TextFile[]
  /** The tab that is shown first. */
  readonly tab?: EntryTab | undefined
  readonly onClose: () => void
  readonly onAdded: (source: SourceState) => void
}

/** "Add source" and then, if the user wants to save it, the change to toolscope.json. */
export function AddSourceDialog({ files, tab, onClose, onAdded }: AddSourceDialogProps) {
  const [saved, setSaved] = useState<SourceState>()
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
        <SourceForm
          files={files}
          tab={tab}
          onDone={(source, saves) => (saves ? setSaved(source) : done(source))}
          onCancel={onClose}
        />
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
        <SourceForm
          edited={{ name, entry }}
          onDone={source => {
            onClose()
            onSaved(source.name)
          }}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}
