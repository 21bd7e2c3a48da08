import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { isFiltered, queryOf, useHistorySearch } from './history-search.ts'
import { texts } from './texts.ts'

interface ClearDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Asks before calls are deleted: those that the filters name, or all. */
export function ClearDialog({ open, onOpenChange }: ClearDialogProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const [search, go] = useHistorySearch()
  const [pinnedToo, setPinnedToo] = useState(false)
  const which = isFiltered(search) ? texts.allShownCalls : texts.theWholeHistory
  const clear = useMutation({
    mutationFn: () => {
      const query = { ...queryOf(search, Date.now()), includePinned: pinnedToo ? 'true' : 'false' } as const
      return backend.request('DELETE /api/history', { query })
    },
    onSuccess: () => {
      go({ call: undefined, with: undefined }, { replace: true })
      onOpenChange(false)
      return invalidate(client, 'history')
    },
  })
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={texts.deleteCalls}>
      <p>{texts.deletionNote(which)}</p>
      <label className="row" style={{ minHeight: 24 }}>
        <input type="checkbox" checked={pinnedToo} onChange={event => setPinnedToo(event.target.checked)} />
        {texts.pinnedCallsToo}
      </label>
      <ErrorNote error={clear.error} />
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{commonTexts.cancel}</Button>
        <Button look="danger" onClick={() => clear.mutate()}>
          {commonTexts.delete}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
