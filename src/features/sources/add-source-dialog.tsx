import type { SourceState } from '../../../core/api/api.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { AddSourceForm } from './add-source-form.tsx'

interface AddSourceDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
  readonly onOpened: (source: SourceState) => void
}

export function AddSourceDialog({ open, onOpenChange, onOpened }: AddSourceDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Add a source">
      <AddSourceForm
        onOpened={source => {
          onOpenChange(false)
          onOpened(source)
        }}
      />
    </Dialog>
  )
}
