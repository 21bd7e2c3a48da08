import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { invalidate } from '../../api/queries.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { isFiltered, queryOf, useHistorySearch } from './history-search.ts'

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
  const which = isFiltered(search) ? 'all calls that the filters show' : 'the whole history'
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
    <Dialog open={open} onOpenChange={onOpenChange} title="Delete calls?">
      <p>This deletes {which} and cannot be undone. Export writes a copy first.</p>
      <label className="row" style={{ minHeight: 24 }}>
        <input type="checkbox" checked={pinnedToo} onChange={event => setPinnedToo(event.target.checked)} />
        Pinned calls too
      </label>
      <ErrorNote error={clear.error} />
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>{commonTexts.cancel}</Button>
        <Button look="danger" onClick={() => clear.mutate()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
