import { useVirtualizer } from '@tanstack/react-virtual'
import { type CSSProperties, useMemo, useRef } from 'react'
import { ScrollRegion } from '../../../ui/scroll.tsx'
import { type Column, cellText, columnsOf } from './columns.ts'
import styles from './table.module.css'

const rowHeight = 30

interface TableViewerProps {
  readonly rows: readonly Record<string, unknown>[]
}

/** A list of objects as a table: a column for each member. Rows outside the window are space, not elements. */
export function TableViewer({ rows }: TableViewerProps) {
  const scroller = useRef<HTMLElement>(null)
  const columns = useMemo(() => columnsOf(rows), [rows])
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <ScrollRegion ref={scroller} label="Result as a table">
      <table className={styles.table} aria-rowcount={rows.length + 1}>
        <thead>
          <tr>
            <Head width={56}>#</Head>
            {columns.map(({ name, width }) => (
              <Head key={name} width={width}>
                {name}
              </Head>
            ))}
          </tr>
        </thead>
        <tbody>
          <Space height={before} />
          {items.map(item => (
            <Row key={item.key} index={item.index} row={rows[item.index] ?? {}} columns={columns} />
          ))}
          <Space height={after} />
        </tbody>
      </table>
    </ScrollRegion>
  )
}

function Head({ width, children }: { readonly width: number; readonly children: string }) {
  const style: CSSProperties = { width, minWidth: width }
  return (
    <th scope="col" style={style} title={children}>
      {children}
    </th>
  )
}

function Space({ height }: { readonly height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null
}

interface RowProps {
  readonly index: number
  readonly row: Record<string, unknown>
  readonly columns: readonly Column[]
}

function Row({ index, row, columns }: RowProps) {
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row">{index}</th>
      {columns.map(({ name }) => {
        const present = Object.hasOwn(row, name)
        const text = present ? cellText(row[name]) : '–'
        return (
          <td key={name} className={present ? undefined : 'faint'} title={text}>
            {text}
          </td>
        )
      })}
    </tr>
  )
}
