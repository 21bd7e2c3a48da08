import { type KeyboardEvent, type UIEvent, useEffect, useLayoutEffect, useMemo, useRef } from 'react'
import { join } from '../../ui/join.ts'
import { runKey } from '../../ui/shortcut-handlers.ts'
import { useVirtualRows } from '../../ui/virtual-rows.tsx'
import styles from './wire.module.css'
import { findRow, type WireState } from './wire-feed.ts'
import { rowElementId, rowHeight, WireRowLine } from './wire-row.tsx'

/** Older rows are requested this many rows before the first one that is there. */
const prefetchRows = 40

export const wireListId = 'wire-messages'

interface WireListProps {
  readonly state: WireState
  /** Number of the open message. */
  readonly open: number | undefined
  readonly pinned: ReadonlySet<number>
  readonly isFollowing: boolean
  readonly onFollow: (isFollowing: boolean) => void
  /** Must be the same function in every render. */
  readonly onOpen: (seq: number) => void
  readonly onLoadBefore: () => void
  /** Moves the focus to the open message's text. */
  readonly onEnter: () => void
  readonly label: string
}

/**
 * The messages, oldest first; only visible ones are drawn. It stays at the end while it follows. Otherwise the first
 * visible message stays where it is while others are added and dropped.
 */
export function WireList(props: WireListProps) {
  const { state, open, pinned, isFollowing, onFollow, onOpen, onLoadBefore, onEnter, label } = props
  const { rows, missing, facts } = state
  const count = missing + rows.length
  const { scroller, virtualizer } = useVirtualRows(count, rowHeight, { overscan: 12 })
  const at = open === undefined ? -1 : findRow(rows, open)
  const pair = rows[at]?.pairSeq
  const startedAt = Date.parse(facts?.startedAt ?? '')

  const firstDrawn = virtualizer.getVirtualItems()[0]?.index ?? 0
  useEffect(() => {
    if (missing > 0 && firstDrawn < missing + prefetchRows) onLoadBefore()
  }, [missing, firstDrawn, onLoadBefore])

  const anchor = useRef<{ readonly seq: number; readonly offset: number }>(undefined)
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (isFollowing) {
      element.scrollTop = element.scrollHeight
      return
    }
    const index = anchor.current === undefined ? -1 : findRow(rows, anchor.current.seq)
    if (index < 0 || anchor.current === undefined) return
    const top = (missing + index) * rowHeight + anchor.current.offset
    if (Math.abs(element.scrollTop - top) > 1) element.scrollTop = top
  }, [isFollowing, rows, missing, scroller])

  const lastTop = useRef(0)
  const onScroll = ({ currentTarget: element }: UIEvent<HTMLElement>) => {
    const { scrollTop, scrollHeight, clientHeight } = element
    const first = rows[Math.floor(scrollTop / rowHeight) - missing]
    anchor.current = first && { seq: first.seq, offset: scrollTop % rowHeight }
    const isAtEnd = scrollHeight - scrollTop - clientHeight < rowHeight
    if (isFollowing && !isAtEnd && scrollTop < lastTop.current) onFollow(false)
    lastTop.current = scrollTop
  }

  // A message that is opened by a key, a link or its pair is scrolled into sight.
  const scrolledTo = useRef<number>(undefined)
  useEffect(() => {
    if (open === undefined || at < 0 || scrolledTo.current === open) return
    scrolledTo.current = open
    virtualizer.scrollToIndex(missing + at, { align: 'auto' })
  }, [open, at, missing, virtualizer])

  const openAt = (index: number) => {
    const row = rows[Math.max(0, Math.min(rows.length - 1, index))]
    if (row !== undefined) onOpen(row.seq)
  }
  const start = at < 0 ? rows.length : at
  const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
  const onKeyDown = (event: KeyboardEvent) =>
    runKey(
      event,
      new Map([
        ['ArrowDown', () => openAt(at < 0 ? rows.length - 1 : at + 1)],
        ['ArrowUp', () => openAt(start - 1)],
        ['PageDown', () => openAt(at + page)],
        ['PageUp', () => openAt(start - page)],
        ['Home', () => openAt(0)],
        ['End', () => openAt(rows.length - 1)],
        ['Enter', onEnter],
      ]),
    )
  // The rows follow one another in a box that is moved: a row whose number of rows above changes is not drawn again.
  const items = virtualizer.getVirtualItems()
  const drawn = useMemo(
    () =>
      items.map(({ index, key }) => {
        const row = rows[index - missing]
        // An older row that is being loaded.
        if (row === undefined) return <div key={`missing ${key}`} role="none" style={{ height: rowHeight }} />
        return (
          <WireRowLine
            key={row.seq}
            row={row}
            isListed
            mark={row.seq === open ? 'open' : row.seq === pair ? 'pair' : undefined}
            isPinned={pinned.has(row.seq)}
            startedAt={startedAt}
            onOpen={onOpen}
          />
        )
      }),
    [items, rows, missing, open, pair, pinned, startedAt, onOpen],
  )
  const isOpenDrawn = items.some(({ index }) => index === missing + at && at >= 0)
  return (
    <div
      ref={scroller}
      id={wireListId}
      className={join('scroll', styles.list)}
      role="listbox"
      aria-label={label}
      tabIndex={0}
      aria-activedescendant={isOpenDrawn && open !== undefined ? rowElementId(open) : undefined}
      onKeyDown={onKeyDown}
      onScroll={onScroll}
    >
      <div style={{ height: virtualizer.getTotalSize() }} role="none">
        <div style={{ transform: `translateY(${items[0]?.start ?? 0}px)` }} role="none">
          {drawn}
        </div>
      </div>
    </div>
  )
}
