import { measureElement, useVirtualizer } from '@tanstack/react-virtual'
import {
  type ReactNode,
  type Ref,
  useImperativeHandle,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { flushSync } from 'react-dom'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import { join } from '../../ui/join.ts'
import { ScrollRegion } from '../../ui/scroll.tsx'
import { useShortcut } from '../../ui/shortcut-handlers.ts'
import { rangeWith } from '../../ui/virtual-rows.tsx'
import styles from './report.module.css'
import { comparedTools, ReportRow, type RowActions, stopId } from './report-row.tsx'
import type { DiffRow, ReportSection } from './report-sections.ts'

/** The methods of the report for its parent. */
export interface ReportHandle {
  /** Takes the focus, so that the keys go from change to change. */
  focus(): void
  /** Scrolls to a section and focuses its first change. */
  show(section: ReportSection): void
}

/** Pixels of a row that is not measured yet. */
const estimates: Record<DiffRow['kind'], number> = {
  heading: 58,
  schemas: 452,
  change: 210,
  fold: 36,
  tool: 44,
}

/** Pixels of the sticky heading, which must not cover the focused row. */
const headingHeight = 64

interface ReportProps extends RowActions {
  readonly ref: Ref<ReportHandle>
  /** Shown above the list; it scrolls with the list. */
  readonly intro: ReactNode
  readonly rows: readonly DiffRow[]
  readonly answer: DiffAnswer
  /** Receives the key of the section on screen. */
  readonly onCurrent: (key: string | undefined) => void
}

/** The changes under their tools. Only visible rows are rendered; j and k move between rows. */
export function Report(props: ReportProps) {
  const { ref, intro, rows, answer, onOpen, onFold, onSchemas, onCurrent } = props
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const [active, setActive] = useState(-1)
  const compared = useMemo(() => comparedTools(answer), [answer])
  /** The index of each row that the keys reach, by its number. */
  const stops = useMemo(() => rows.flatMap((row, index) => ('stop' in row ? [index] : [])), [rows])
  const activeRow = stops[active]
  const headingByRow = useMemo(() => findHeadings(rows), [rows])
  const sticky = useRef<number | undefined>(undefined)
  /**
   * The first measured height of each shape, as an estimate for the others: a right estimate saves rendering the rows
   * below again. Not the last height: scrolling never settles if the estimates change.
   */
  const heights = useRef(new Map<string | undefined, number>())
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: index =>
      heights.current.get(toShapeKey(rows[index])) ?? estimates[rows[index]?.kind ?? 'change'],
    measureElement: (element, entry, instance) => {
      const height = measureElement(element, entry, instance)
      const shape = toShapeKey(rows[instance.indexFromElement(element)])
      if (!heights.current.has(shape)) heights.current.set(shape, height)
      return height
    },
    getItemKey: index => rows[index]?.key ?? index,
    scrollMargin: margin,
    scrollPaddingStart: headingHeight,
    overscan: 4,
    // The section of the focused row if it is visible, else the section at the top.
    onChange: ({ range }) => {
      const { startIndex = 0, endIndex = 0 } = range ?? {}
      const isInSight = activeRow !== undefined && activeRow >= startIndex && activeRow <= endIndex
      onCurrent(rows[isInSight ? activeRow : startIndex]?.section.key)
    },
    // The heading of the visible rows is sticky. The focused row stays rendered, so that the focus is not lost.
    rangeExtractor: range => {
      sticky.current = headingByRow[range.startIndex]
      return rangeWith(range, sticky.current, activeRow)
    },
  })

  // The list begins below the intro, whose height changes with the width and the counts.
  useLayoutEffect(() => {
    const measure = () => setMargin(list.current?.offsetTop ?? 0)
    const observer = new ResizeObserver(measure)
    measure()
    for (const child of scroller.current?.children ?? []) observer.observe(child)
    return () => observer.disconnect()
  }, [])

  const goTo = (next: number, from = stops[next]) => {
    const row = stops[next]
    if (row === undefined || from === undefined) return
    // The row must be rendered and focused before the next key arrives, because Enter acts on it.
    flushSync(() => setActive(next))
    document.getElementById(stopId(next))?.focus({ preventScroll: true })
    onCurrent(rows[row]?.section.key)
    virtualizer.scrollToIndex(from, { align: 'start' })
  }
  const step = (by: number) => goTo(Math.max(0, Math.min(stops.length - 1, active < 0 ? 0 : active + by)))
  useShortcut('next', () => step(1), stops.length > 0)
  useShortcut('previous', () => step(-1), stops.length > 0)
  useImperativeHandle(ref, () => ({
    focus: () => scroller.current?.focus(),
    show: section => {
      const first = stops.findIndex(index => rows[index]?.section === section)
      const heading = rows.findIndex(row => row.section === section)
      goTo(first, heading)
    },
  }))

  return (
    <ScrollRegion ref={scroller} className={styles.scroller} label="Report">
      <div>{intro}</div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the handler only records the focus */}
      <div
        ref={list}
        className={styles.list}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={event => {
          const row = event.target.closest('[data-stop]')
          if (row) setActive(Number(row.getAttribute('data-stop')))
        }}
      >
        {virtualizer.getVirtualItems().map(item => {
          const row = rows[item.index]
          const isSticky = item.index === sticky.current
          return (
            row && (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                data-stop={'stop' in row ? row.stop : undefined}
                className={join(styles.row, isSticky && styles.sticky)}
                style={isSticky ? undefined : { transform: `translateY(${item.start - margin}px)` }}
              >
                <ReportRow
                  row={row}
                  compared={compared}
                  onOpen={onOpen}
                  onFold={onFold}
                  onSchemas={onSchemas}
                />
              </div>
            )
          )
        })}
      </div>
    </ScrollRegion>
  )
}

/** Returns a key that rows of mostly the same height share: a bulk change has thousands of them. */
const toShapeKey = (row: DiffRow | undefined) =>
  row?.kind === 'change' ? `${row.change.rule} ${row.change.witness !== undefined}` : row?.kind

/** Returns, for each row, the index of its section's heading; added and removed tools have none. */
function findHeadings(rows: readonly DiffRow[]): readonly (number | undefined)[] {
  let heading: number | undefined
  return rows.map(({ kind }, index) => {
    if (kind === 'heading') heading = index
    if (kind === 'tool') heading = undefined
    return heading
  })
}
