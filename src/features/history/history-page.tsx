import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Download, GitCompareArrows, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useBackend } from '../../api/backend.ts'
import { storeStateQuery } from '../../api/history.ts'
import { invalidate } from '../../api/queries.ts'
import { addressOf } from '../../api/request.ts'
import { useRefusal } from '../../api/use-refusal.ts'
import buttonStyles from '../../ui/button.module.css'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { join } from '../../ui/join.ts'
import { SplitPane, StackedPane } from '../../ui/split-pane.tsx'
import { commonTexts } from '../../ui/texts.ts'
import { useNarrow } from '../../ui/use-narrow.ts'
import { CallDetail, type HistoryActions } from './call-detail.tsx'
import { CompareCalls } from './compare-calls.tsx'
import { HistoryFilters } from './history-filters.tsx'
import { HistoryList } from './history-list.tsx'
import styles from './history-page.module.css'
import { isFiltered, queryOf, useHistorySearch } from './history-search.ts'
import { texts } from './texts.ts'
import { ToolStats } from './tool-stats.tsx'

/** The recorded calls: find, open, repeat and compare them. */
export function HistoryPage({ actions }: { readonly actions: HistoryActions }) {
  const narrow = useNarrow()
  const [{ call, with: other }, go] = useHistorySearch()
  const detail =
    call === undefined ? (
      <EmptyState title="Choose a call">Its input and its result appear here.</EmptyState>
    ) : other === undefined ? (
      <CallDetail key={call} id={call} actions={actions} />
    ) : (
      <CompareCalls first={call} second={other} />
    )
  if (narrow)
    return call === undefined ? (
      <List />
    ) : (
      <StackedPane back={texts.history} onBack={() => go({ call: undefined, with: undefined })}>
        {detail}
      </StackedPane>
    )
  return (
    <SplitPane
      id="history"
      panes={[
        { id: 'calls', size: '42%', minSize: '340px', content: <List /> },
        {
          id: 'call',
          size: '58%',
          minSize: '320px',
          content: <div className="pane">{detail}</div>,
        },
      ]}
    />
  )
}

function List() {
  const backend = useBackend()
  const [search] = useHistorySearch()
  const [clearing, setClearing] = useState(false)
  const { data: state } = useQuery(storeStateQuery(backend))
  return (
    <section className="pane" aria-label={texts.history}>
      <header className={join('row wrap', styles.head)}>
        <h1 className={styles.title}>{texts.history}</h1>
        <div className={join('row wrap', styles.acts)}>
          {backend.has('POST /api/compare') && (
            <Link to="/compare" className={join(buttonStyles.button, buttonStyles.quiet)}>
              <GitCompareArrows size={14} aria-hidden /> Compare two sources
            </Link>
          )}
          <a
            className={join(buttonStyles.button, buttonStyles.quiet)}
            href={addressOf('GET /api/history/export', { query: queryOf(search, Date.now()) })}
            download="toolscope-history.jsonl"
          >
            <Download size={14} aria-hidden /> Export
          </a>
          <Button look="quiet" refused={useRefusal('DELETE /api/history')} onClick={() => setClearing(true)}>
            <Trash2 size={14} aria-hidden /> Clear…
          </Button>
        </div>
      </header>
      {state?.error && (
        <div className={styles.off}>
          <ErrorNote shape={state.error} title="Calls are not being saved" />
        </div>
      )}
      <HistoryFilters />
      {search.tool !== undefined && <ToolStats toolRef={search.tool} />}
      <HistoryList />
      <ClearDialog open={clearing} onOpenChange={setClearing} />
    </section>
  )
}

interface ClearDialogProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** Asks before calls are deleted: those that the filters name, or all. */
function ClearDialog({ open, onOpenChange }: ClearDialogProps) {
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
