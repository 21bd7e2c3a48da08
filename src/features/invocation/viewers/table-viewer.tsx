import { useVirtualizer } from '@tanstack/react-virtual'
import { isLosslessNumber } from 'lossless-json'
import { type CSSProperties, useMemo, useRef } from 'react'
import { join } from '../../../ui/join.ts'
import { columnsOf } from './columns.ts'
import styles from './table.module.css'

interface TableViewerProps {
  readonly rows: readonly Record<string, unknown>[]
}

/** A list of objects as a table: a column for each member, the commonest first. */
export function TableViewer({ rows }: TableViewerProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const columns = useMemo(() => columnsOf(rows), [rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 30,
    overscan: 12,
  })
  // Custom properties are not in React's CSSProperties.
  const style = { '--columns': `56px repeat(${columns.length}, minmax(120px, 260px))` } as CSSProperties
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keys
    <div ref={scroller} className={styles.scroller} tabIndex={0} role="region" aria-label="Result as a table">
      {/* biome-ignore lint/a11y/useSemanticElements: virtual rows are positioned, which a table element cannot be */}
      <div
        role="table"
        aria-label="Result"
        aria-rowcount={rows.length + 1}
        aria-colcount={columns.length + 1}
        className={styles.grid}
        style={{ ...style, height: virtualizer.getTotalSize() + 30 }}
      >
        <div role="row" className={join(styles.row, styles.head)} aria-rowindex={1}>
          <span role="columnheader" className={join(styles.cell, styles.position)}>
            #
          </span>
          {columns.map(column => (
            <span key={column} role="columnheader" className={styles.cell} title={column}>
              {column}
            </span>
          ))}
        </div>
        {virtualizer.getVirtualItems().map(item => (
          <div
            key={item.key}
            role="row"
            className={styles.row}
            aria-rowindex={item.index + 2}
            style={{ transform: `translateY(${item.start + 30}px)` }}
          >
            <span role="rowheader" className={join(styles.cell, styles.position)}>
              {item.index}
            </span>
            {columns.map(column => (
              <Cell key={column} row={rows[item.index] ?? {}} column={column} />
            ))}
          </div>
        ))}
      </div>
    </div>
  )
}

function Cell({ row, column }: { readonly row: Record<string, unknown>; readonly column: string }) {
  const absent = !Object.hasOwn(row, column)
  const text = absent ? '–' : cellText(row[column])
  return (
    <span role="cell" className={join(styles.cell, absent && styles.absent)} title={text}>
      {text}
    </span>
  )
}

/** Members of a cell are shown as JSON, cut: the tree has the whole. */
function cellText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, 200)
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return `[ ${value.length} ]`
  if (typeof value === 'object' && value !== null) return `{ ${Object.keys(value).length} }`
  return String(value)
}
