import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DiffAnswer } from '../../../core/api/versions.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { ScrollRegion } from '../../ui/scroll.tsx'
import { useShortcut } from '../../ui/shortcuts/shortcut-handlers.ts'
import { ChangeCard } from './change-card.tsx'
import styles from './change-list.module.css'
import type { DiffRow } from './select-changes.ts'
import { SchemasRow, ToolHeading } from './tool-heading.tsx'

/** Opens a tool with an input in its form. Rejects where there is no such tool any more. */
export type TryWitness = (ref: string, inputText: string) => Promise<void>

/** Heights before a row was drawn and measured. */
const estimates: Record<DiffRow['kind'], number> = { heading: 52, schemas: 452, change: 150 }

interface ChangeListProps {
  /** Shown above the list; it scrolls with the list. */
  readonly intro: ReactNode
  readonly rows: readonly DiffRow[]
  readonly changeCount: number
  readonly answer: DiffAnswer
  readonly onTry: TryWitness
}

/** The changes as cards under their tools. Only what is in sight is drawn; j and k go from change to change. */
export function ChangeList({ intro, rows, changeCount, answer, onTry }: ChangeListProps) {
  const scroller = useRef<HTMLElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const [margin, setMargin] = useState(0)
  const [active, setActive] = useState(-1)
  /** The change that is to have the focus as soon as it is drawn. */
  const wanted = useRef(-1)
  const before = useMemo(() => toolsByName(answer.a.side.tools), [answer])
  const after = useMemo(() => toolsByName(answer.b.side.tools), [answer])
  /** Row of each change, by its ordinal. */
  const rowOfChange = useMemo(
    () => rows.flatMap((row, index) => (row.kind === 'change' ? [index] : [])),
    [rows],
  )
  const activeRow = rowOfChange[active]
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: index => estimates[rows[index]?.kind ?? 'change'],
    getItemKey: index => rows[index]?.key ?? index,
    scrollMargin: margin,
    overscan: 4,
    // The change that has the focus stays drawn wherever the list is scrolled: a focus must not get lost.
    rangeExtractor: range => {
      const shown = defaultRangeExtractor(range)
      if (activeRow === undefined || shown.includes(activeRow)) return shown
      return [...shown, activeRow].sort((left, right) => left - right)
    },
  })

  // The list begins below what scrolls with it, whose height changes with the width and the counts.
  useLayoutEffect(() => {
    const measure = () => setMargin(list.current?.offsetTop ?? 0)
    const observer = new ResizeObserver(measure)
    measure()
    for (const child of scroller.current?.children ?? []) observer.observe(child)
    return () => observer.disconnect()
  }, [])

  const step = (by: number) => {
    const next = Math.max(0, Math.min(changeCount - 1, active < 0 ? 0 : active + by))
    const row = rowOfChange[next]
    if (row === undefined) return
    setActive(next)
    wanted.current = next
    virtualizer.scrollToIndex(row, { align: 'center' })
    // After the row was drawn and brought into sight; of keys in quick succession the last one counts.
    const focus = () => {
      if (wanted.current === next) document.getElementById(cardId(next))?.focus({ preventScroll: true })
    }
    requestAnimationFrame(() => requestAnimationFrame(focus))
  }
  useShortcut('next', () => step(1), changeCount > 0)
  useShortcut('previous', () => step(-1), changeCount > 0)

  const draw = (row: DiffRow) => {
    switch (row.kind) {
      case 'heading':
        return <ToolHeading group={row.group} />
      case 'schemas':
        return <SchemasRow name={row.tool} before={before.get(row.tool)} after={after.get(row.tool)} />
      case 'change': {
        const { tool } = row.change
        const { refs = {} } = answer.b
        const ref = tool !== undefined && Object.hasOwn(refs, tool) ? refs[tool] : undefined
        return (
          <ChangeCard
            id={cardId(row.ordinal)}
            change={row.change}
            onTry={ref === undefined ? undefined : inputText => onTry(ref, inputText)}
          />
        )
      }
    }
  }
  return (
    <ScrollRegion ref={scroller} className={styles.scroller} label="Changes">
      <div>{intro}</div>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it only notes where the focus is */}
      <div
        ref={list}
        className={styles.list}
        style={{ height: virtualizer.getTotalSize() }}
        onFocus={event => {
          const card = event.target.closest('[data-ordinal]')
          if (!card) return
          wanted.current = Number(card.getAttribute('data-ordinal'))
          setActive(wanted.current)
        }}
      >
        {virtualizer.getVirtualItems().map(item => {
          const row = rows[item.index]
          return (
            row && (
              <div
                key={item.key}
                ref={virtualizer.measureElement}
                data-index={item.index}
                data-ordinal={row.kind === 'change' ? row.ordinal : undefined}
                className={styles.row}
                style={{ transform: `translateY(${item.start - margin}px)` }}
              >
                {draw(row)}
              </div>
            )
          )
        })}
      </div>
    </ScrollRegion>
  )
}

function cardId(ordinal: number): string {
  return `diff-change-${ordinal}`
}

/** Of two tools with one name the first counts, as in the comparison. */
function toolsByName(tools: readonly ManifestTool[]): ReadonlyMap<string, ManifestTool> {
  return new Map(tools.toReversed().map(tool => [tool.name, tool]))
}
