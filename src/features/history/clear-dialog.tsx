import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { invalidateHistory } from '../../api/history.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import styles from './clear-dialog.module.css'
import { isFiltered, queryOf, useGoHistory, useHistorySearch } from './history-search.ts'

interface ClearDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Asks before calls are deleted: those that the filters name, or all. */
export function ClearDialog({ open, onOpenChange }: ClearDialogProps) {
  const backend = useBackend()
  const client = useQueryClient()
  const search = useHistorySearch()
  const go = useGoHistory()
  const [pinnedToo, setPinnedToo] = useState(false)
  const [failed, setFailed] = useState<unknown>()
  const which = isFiltered(search) ? 'all calls that the filters show' : 'the whole history'
  const clear = async () => {
    setFailed(undefined)
    try {
      const includePinned = pinnedToo ? 'true' : 'false'
      const query = { ...queryOf(search, Date.now()), includePinned } as const
      await backend.request('DELETE /api/history', { query })
      go({ call: undefined, with: undefined }, { replace: true })
      onOpenChange(false)
      await invalidateHistory(client)
    } catch (thrown) {
      setFailed(thrown)
    }
  }
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Delete calls?">
      <p>This deletes {which}. It cannot be undone; Export writes a copy first.</p>
      <label className={styles.check}>
        <input type="checkbox" checked={pinnedToo} onChange={event => setPinnedToo(event.target.checked)} />{' '}
        Pinned calls too
      </label>
      <ErrorNote error={failed} />
      <DialogActions>
        <Button onClick={() => onOpenChange(false)}>Keep them</Button>
        <Button look="danger" onClick={() => void clear()}>
          Delete
        </Button>
      </DialogActions>
    </Dialog>
  )
}
