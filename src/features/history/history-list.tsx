import { useInfiniteQuery } from '@tanstack/react-query'
import { GitCompareArrows, Pin } from 'lucide-react'
import { useEffect, useMemo } from 'react'
import type { InvocationSummary } from '../../../core/api/history.ts'
import { outputWords } from '../../../core/tool/outcome.ts'
import { useBackend } from '../../api/backend.ts'
import { historyListQuery } from '../../api/history.ts'
import { Badge, Loading } from '../../ui/badge.tsx'
import { Button, IconButton } from '../../ui/button.tsx'
import { formatDuration, formatTime } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import { EmptyState, ErrorNote } from '../../ui/notes.tsx'
import { ScrollRegion } from '../../ui/scroll.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { commonTexts } from '../../ui/texts.ts'
import { useVirtualRows } from '../../ui/virtual-rows.tsx'
import styles from './history.module.css'
import { isFiltered, toHistoryQuery, useHistorySearch } from './history-search.ts'
import { OutcomeIcon } from './outcome.tsx'

const rowHeight = 52
/** The next page is requested this many rows before the end. */
const prefetchRows = 15

/** The matching calls, newest first. Only visible rows are rendered; older pages load while scrolling. */
export function HistoryList() {
  const backend = useBackend()
  const [search, go] = useHistorySearch()
  const list = useInfiniteQuery(historyListQuery(backend, toHistoryQuery(search, Date.now())))
  const calls = useMemo(() => list.data?.pages.flatMap(page => page.invocations) ?? [], [list.data])
  const { scroller, virtualizer } = useVirtualRows<HTMLElement>(calls.length, rowHeight, {
    getItemKey: index => calls[index]?.id ?? index,
  })
  const items = virtualizer.getVirtualItems()
  const last = items.at(-1)?.index ?? 0
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = list
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= calls.length - prefetchRows) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, last, calls.length, fetchNextPage])

  const at = calls.findIndex(call => call.id === search.call)
  const step = (by: number) => {
    const index = Math.max(0, Math.min(calls.length - 1, at < 0 ? 0 : at + by))
    const next = calls[index]
    if (!next) return
    go({ call: next.id, with: undefined }, { replace: true })
    virtualizer.scrollToIndex(index)
    requestAnimationFrame(() =>
      document.getElementById(rowElementId(next.id))?.focus({ preventScroll: true }),
    )
  }
  useShortcut('next', () => step(1), calls.length > 0)
  useShortcut('previous', () => step(-1), calls.length > 0)

  if (list.error && !list.data)
    return (
      <div className="padded">
        <ErrorNote error={list.error} />
      </div>
    )
  if (list.isPending) return <Loading>Reading the history…</Loading>
  if (calls.length === 0) return <Nothing />
  return (
    <ScrollRegion ref={scroller} label="Calls">
      <ul style={{ position: 'relative', height: virtualizer.getTotalSize() }}>
        {items.map(item => {
          const call = calls[item.index]
          return call && <HistoryRow key={call.id} call={call} top={item.start} />
        })}
      </ul>
      {isFetchingNextPage && <Loading>Older calls…</Loading>}
    </ScrollRegion>
  )
}

function Nothing() {
  const [search, go] = useHistorySearch()
  if (!isFiltered(search))
    return (
      <EmptyState title="No calls yet">
        Each call is saved here with its input and result, so that you can find, repeat and compare it.
      </EmptyState>
    )
  const clear = Object.fromEntries(Object.keys(search).map(key => [key, undefined]))
  return (
    <EmptyState
      title="No matching calls"
      actions={<Button onClick={() => go(clear)}>{commonTexts.clearFilters}</Button>}
    />
  )
}

const rowElementId = (id: string) => `call-${id}`

interface HistoryRowProps {
  readonly call: InvocationSummary
  /** Pixels from the top of the list. */
  readonly top: number
}

/** One call: its tool and input, its time, its duration and its outcome. */
function HistoryRow({ call, top }: HistoryRowProps) {
  const [open, go] = useHistorySearch()
  const isOpen = open.call === call.id
  const compared = open.with === call.id
  return (
    <li
      className={join('row hoverable', styles.row, isOpen && styles.open, compared && styles.compared)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <button
        type="button"
        id={rowElementId(call.id)}
        className={join('column', styles.main)}
        aria-current={isOpen || undefined}
        onClick={() => go({ call: call.id, with: undefined })}
      >
        <span className={join('row', styles.line)}>
          <OutcomeIcon end={call} />
          <span className={join('mono truncate', styles.name)}>{call.tool}</span>
          {call.verdict === 'invalid' && <Badge tone="warn">{outputWords('invalid')}</Badge>}
          {call.inputVerdict === 'invalid' && <Badge tone="warn">input invalid</Badge>}
          {call.pinned && <Pin size={12} aria-label="pinned" className={styles.pin} />}
          <span className="grow" />
          <span className={join('note', styles.time)}>
            {call.outcome === 'unfinished' ? 'unfinished' : formatDuration(call.durationMs)}
          </span>
          <time className={join('note', styles.time)} dateTime={call.startedAt}>
            {formatTime(call.startedAt, new Date())}
          </time>
        </span>
        <span className={join('row', styles.line)}>
          <span className={join('mono truncate muted', styles.preview)}>{call.message ?? call.preview}</span>
          <span className="grow" />
          <span className={join('faint truncate', styles.source)}>
            {call.person === undefined ? call.source : `${call.person} · ${call.source}`}
          </span>
        </span>
      </button>
      {open.call !== undefined && !isOpen && (
        <IconButton
          icon={GitCompareArrows}
          label={compared ? 'Stop comparing' : `Compare the open call with this one of ${call.tool}`}
          aria-pressed={compared}
          onClick={() => go({ with: compared ? undefined : call.id }, { replace: true })}
        />
      )}
    </li>
  )
}
