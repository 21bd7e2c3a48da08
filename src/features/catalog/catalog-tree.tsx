import { useQuery } from '@tanstack/react-query'
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual'
import {
  type KeyboardEvent,
  type Ref,
  useCallback,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useMemo,
  useState,
} from 'react'
import type { CatalogRow as Row } from '../../../core/catalog/rows.ts'
import { useBackend } from '../../api/backend.ts'
import { scoresQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { useWorkbenchNavigate } from '../../navigation.ts'
import { requestInputFocus } from '../../ui/input-focus.ts'
import { runKey, useShortcut } from '../../ui/shortcut-handlers.ts'
import { useVirtualRows, VirtualRows } from '../../ui/virtual-rows.tsx'
import styles from './catalog.module.css'
import { CatalogRow, isAtWarnings, rowElementId, rowIndexAt } from './catalog-row.tsx'
import type { Rows } from './use-rows.ts'

const rowHeight = 30

export interface CatalogTreeHandle {
  /** Moves the focus into the tree, to the active row or the first tool. */
  focus(): void
  /** Opens the active row, or the first tool. */
  open(): void
}

interface CatalogTreeProps {
  readonly rows: Rows
  readonly rowCount: number
  readonly selectedRef: string | undefined
  readonly onFold: (id: string, folded: boolean) => void
  /** Receives the range of positions on screen. */
  readonly onRange: (from: number, to: number) => void
  /** Called for arrow up on the first row, to return to the search field. */
  readonly onLeave: () => void
  readonly ref: Ref<CatalogTreeHandle>
}

/**
 * The catalog as a tree. Rows are virtual, so the focus stays on the tree and aria-activedescendant names the active
 * row (https://www.w3.org/WAI/ARIA/apg/patterns/treeview/); the active row is always rendered.
 */
export function CatalogTree(props: CatalogTreeProps) {
  const { rows, rowCount, selectedRef, onFold, onRange, onLeave, ref } = props
  const go = useWorkbenchNavigate()
  const [active, setActive] = useState(-1)
  const { scroller, virtualizer } = useVirtualRows(rowCount, rowHeight, {
    onChange({ range, isScrolling }) {
      scroller.current?.toggleAttribute('data-scrolling', isScrolling)
      if (range) onRange(range.startIndex, range.endIndex)
    },
  })

  useReveal(selectedRef, rows, virtualizer)
  const firstTool = () => {
    for (let index = 0; index < Math.min(rowCount, 100); index += 1)
      if (rows.at(index)?.kind === 'tool') return index
    return 0
  }
  const current = active >= 0 && active < rowCount ? active : -1
  const moveTo = (index: number) => {
    const next = Math.max(0, Math.min(rowCount - 1, index))
    setActive(next)
    virtualizer.scrollToIndex(next)
  }
  const press = (index: number, tab?: { readonly tab: 'reference' }) => {
    const row = rows.at(index)
    setActive(index)
    if (row?.kind === 'tool') go({ tool: row.tool.ref, about: undefined, ...tab })
    else if (row) onFold(row.id, !row.collapsed)
  }
  /** Opens a row by key and moves the focus to the tool's form. After a click the focus stays on the tree. */
  const enter = (index: number) => {
    const row = rows.at(index)
    press(index)
    if (row?.kind === 'tool') requestInputFocus(row.tool.ref)
  }
  const step = (by: number) => {
    scroller.current?.focus({ preventScroll: true })
    moveTo(current < 0 ? firstTool() : current + by)
  }
  useShortcut('next', () => step(1))
  useShortcut('previous', () => step(-1))
  useImperativeHandle(ref, () => ({
    focus() {
      scroller.current?.focus({ preventScroll: true })
      if (current < 0) moveTo(firstTool())
    },
    open: () => enter(current < 0 ? firstTool() : current),
  }))

  const fold = (folded: boolean) => {
    const row = rows.at(current)
    if (!row) return
    if (row.kind !== 'tool' && row.collapsed !== folded) onFold(row.id, folded)
    else if (folded) void findParent(rows, current).then(moveTo)
    else if (row.kind !== 'tool') moveTo(current + 1)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 300) / rowHeight) - 1)
    const actions = new Map<string, () => void>([
      ['ArrowDown', () => step(1)],
      ['ArrowUp', () => (current <= 0 ? onLeave() : step(-1))],
      ['ArrowLeft', () => fold(true)],
      ['ArrowRight', () => fold(false)],
      ['Home', () => moveTo(0)],
      ['End', () => moveTo(rowCount - 1)],
      ['PageDown', () => moveTo(current + page)],
      ['PageUp', () => moveTo(current - page)],
      ['Enter', () => enter(Math.max(0, current))],
      [' ', () => press(Math.max(0, current))],
    ])
    runKey(event, actions)
  }

  /**
   * Finds the clicked row by its height: the rows ignore the pointer while the list scrolls, which makes scrolling
   * cheap.
   */
  const indexAtHeight = (y: number) => {
    const { top = 0 } = scroller.current?.getBoundingClientRect() ?? {}
    return Math.floor((y - top + (scroller.current?.scrollTop ?? 0)) / rowHeight)
  }
  const drawRow = useDrawRow(rows, current, selectedRef)
  return (
    <div
      ref={scroller}
      className={styles.tree}
      role="tree"
      aria-label="Tools"
      tabIndex={0}
      aria-activedescendant={current < 0 ? undefined : rowElementId(current)}
      onKeyDown={onKeyDown}
      // The focus stays on the tree: a click must not move it into a row that may scroll out of the DOM.
      onMouseDown={event => {
        if (event.button === 0 && rowIndexAt(event.target) !== undefined) event.preventDefault()
      }}
      onClick={event => {
        const index = rowIndexAt(event.target) ?? indexAtHeight(event.clientY)
        if (index < rowCount) press(index, isAtWarnings(event.target) ? { tab: 'reference' } : undefined)
      }}
      onFocus={() => current < 0 && setActive(firstTool())}
    >
      <VirtualRows virtualizer={virtualizer}>{drawRow}</VirtualRows>
    </div>
  )
}

/** Scrolls once to the row of a tool that a link or the palette opened. */
function useReveal(
  selectedRef: string | undefined,
  rows: Rows,
  virtualizer: Virtualizer<HTMLDivElement, Element>,
) {
  const isInSight = (ref: string) => {
    if (!rows.areCurrent) return false
    const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {}
    for (let index = startIndex + 1; index < endIndex; index += 1) {
      const row = rows.at(index)
      if (row?.kind === 'tool' && row.tool.ref === ref) return true
    }
    return false
  }
  const reveal = useEffectEvent(async (ref: string, isStale: () => boolean) => {
    if (isInSight(ref)) return
    const index = await rows.locate(ref).catch(() => undefined)
    if (index === undefined || isStale() || isInSight(ref)) return
    virtualizer.scrollToIndex(index, { align: 'center' })
  })
  useEffect(() => {
    if (selectedRef === undefined) return
    let stale = false
    void reveal(selectedRef, () => stale)
    return () => {
      stale = true
    }
  }, [selectedRef])
}

function useDrawRow(rows: Rows, current: number, selectedRef: string | undefined) {
  const { data: sources } = useSources()
  const byName = useMemo(() => new Map(sources?.map(source => [source.name, source])), [sources])
  const { data: scores } = useQuery(scoresQuery(useBackend()))
  const scoreByRef = useMemo(
    () => new Map(scores?.tools.map(({ ref, score }) => [ref, score.total])),
    [scores],
  )
  return useCallback(
    (item: VirtualItem) => {
      const row = rows.at(item.index)
      return (
        <CatalogRow
          key={row?.id ?? item.key}
          row={row}
          index={item.index}
          top={item.start}
          origin={row?.kind === 'source' ? byName.get(row.source)?.label : undefined}
          sourceCallable={row?.kind === 'tool' && byName.get(row.tool.source)?.callable === true}
          score={row?.kind === 'tool' ? scoreByRef.get(row.tool.ref) : undefined}
          active={item.index === current}
          selected={row?.kind === 'tool' && row.tool.ref === selectedRef}
        />
      )
    },
    [rows, byName, scoreByRef, current, selectedRef],
  )
}

function getDepth(row: Row | undefined): number {
  return row === undefined || row.kind === 'source' ? -1 : row.depth
}

/** Returns the position of the row's parent, which may be outside the loaded windows. */
async function findParent(rows: Rows, index: number): Promise<number> {
  const depth = getDepth(rows.at(index))
  let at = index
  do at -= 1
  while (at > 0 && getDepth(rows.at(at) ?? (await rows.load(at).catch(() => undefined))) >= depth)
  return Math.max(0, at)
}
