import { useVirtualizer } from '@tanstack/react-virtual'
import { isLosslessNumber, stringify } from 'lossless-json'
import { ArrowDown, ArrowUp, Download } from 'lucide-react'
import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { formatCount, plural } from '../../../ui/format.ts'
import { join } from '../../../ui/join.ts'
import { Menu, MenuCheck } from '../../../ui/menu.tsx'
import { ScrollRegion } from '../../../ui/scroll.tsx'
import { saveFile } from '../../../ui/text-file.ts'
import styles from './table.module.css'

const rowHeight = 30

interface TableViewerProps {
  readonly rows: readonly Record<string, unknown>[]
  /** Without its extension. */
  readonly fileName: string
}

/**
 * A list of objects as a table: a column for each member, sorted by a click on its name. Rows outside the window have
 * no elements.
 */
export function TableViewer({ rows, fileName }: TableViewerProps) {
  const scroller = useRef<HTMLElement>(null)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [sorting, setSorting] = useState<Sorting>()
  const all = useMemo(() => pickColumns(rows), [rows])
  const columns = all.filter(({ name }) => !hidden.has(name))
  const positions = useMemo(() => sortedPositions(rows, sorting), [rows, sorting])
  const show = (name: string, isVisible: boolean) => {
    const next = new Set(hidden)
    if (isVisible) next.delete(name)
    else next.add(name)
    setHidden(next)
  }
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const isCut = useCutAtRight(scroller, columns.at(-1)?.name)
  const items = virtualizer.getVirtualItems()
  const before = items[0]?.start ?? 0
  const after = virtualizer.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <>
      <div className={join('row', styles.actions)}>
        <span className="muted">
          {plural(rows.length, 'row')} · {plural(columns.length, 'column')}
          {hidden.size > 0 && ` of ${formatCount(all.length)}`}
        </span>
        <span className="grow" />
        <Menu trigger={<Button look="quiet">Columns</Button>}>
          {all.map(({ name }) => (
            <MenuCheck key={name} checked={!hidden.has(name)} onChange={isVisible => show(name, isVisible)}>
              <span className="truncate">{name}</span>
            </MenuCheck>
          ))}
        </Menu>
        <Button look="quiet" onClick={() => saveFile(toCsv(rows, positions, columns), `${fileName}.csv`)}>
          <Download size={13} aria-hidden /> CSV
        </Button>
      </div>
      <div className={join('column', styles.frame)} data-cut={isCut ? '' : undefined}>
        <ScrollRegion ref={scroller} label="Result as a table">
          <table className={styles.table} aria-rowcount={rows.length + 1}>
            <thead>
              <tr>
                <th scope="col" style={{ width: 56, minWidth: 56 }}>
                  #
                </th>
                {columns.map(column => (
                  <Head key={column.name} column={column} sorting={sorting} onSort={setSorting} />
                ))}
              </tr>
            </thead>
            <tbody>
              <Space height={before} />
              {items.map(item => (
                <Row
                  key={item.key}
                  index={item.index}
                  position={positions[item.index] ?? 0}
                  row={rows[positions[item.index] ?? 0] ?? {}}
                  columns={columns}
                />
              ))}
              <Space height={after} />
            </tbody>
          </table>
        </ScrollRegion>
      </div>
    </>
  )
}

/** Returns whether the table continues to the right of what is visible. @param last names the last column */
function useCutAtRight(scroller: RefObject<HTMLElement | null>, last: string | undefined): boolean {
  const [isCut, setCut] = useState(false)
  useEffect(() => {
    const root = scroller.current
    const heading = root?.querySelector('thead th:last-child')
    if (!heading || last === undefined) return
    const threshold = [0, 0.98]
    const observer = new IntersectionObserver(
      entries => setCut((entries.at(-1)?.intersectionRatio ?? 1) < 0.98),
      { root, threshold },
    )
    observer.observe(heading)
    return () => observer.disconnect()
  }, [scroller, last])
  return isCut
}

interface HeadProps {
  readonly column: Column
  readonly sorting: Sorting | undefined
  readonly onSort: (sorting: Sorting | undefined) => void
}

/** A column heading. Clicks sort in ascending, then descending, then original order. */
function Head({ column: { name, width }, sorting, onSort }: HeadProps) {
  const own = sorting?.name === name ? sorting : undefined
  const Arrow = own?.isDescending ? ArrowDown : ArrowUp
  const next = own?.isDescending ? undefined : { name, isDescending: own !== undefined }
  return (
    <th
      scope="col"
      style={{ width, minWidth: width }}
      title={name}
      aria-sort={own && (own.isDescending ? 'descending' : 'ascending')}
    >
      <button type="button" className={styles.sort} onClick={() => onSort(next)}>
        <span className="truncate">{name}</span>
        {own && <Arrow size={12} aria-hidden />}
      </button>
    </th>
  )
}

function Space({ height }: { readonly height: number }) {
  return height > 0 ? <tr aria-hidden style={{ height }} /> : null
}

interface ValueRowProps {
  readonly index: number
  /** The position of the row in the result. */
  readonly position: number
  readonly row: Record<string, unknown>
  readonly columns: readonly Column[]
}

function Row({ index, position, row, columns }: ValueRowProps) {
  return (
    <tr aria-rowindex={index + 2}>
      <th scope="row">{position}</th>
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

/** The most columns, and the number of rows that are read to find them. */
export const maxColumns = 40
const sample = 200

/** A column of the table: the member that it shows and its width in pixels. */
export interface Column {
  readonly name: string
  readonly width: number
}

/**
 * Returns the most common members of the first rows, in the order of appearance, with a width that fits their texts.
 */
export function pickColumns(rows: readonly Record<string, unknown>[]): Column[] {
  const found = new Map<string, { count: number; longest: number }>()
  for (const row of rows.slice(0, sample)) {
    for (const [name, value] of Object.entries(row)) {
      const { count, longest } = found.get(name) ?? { count: 0, longest: name.length }
      found.set(name, { count: count + 1, longest: Math.max(longest, cellText(value).length) })
    }
  }
  return [...found]
    .sort(([, a], [, b]) => b.count - a.count)
    .slice(0, maxColumns)
    .map(([name, { longest }]) => ({
      name,
      width: Math.min(320, Math.max(64, Math.ceil(longest * 7.6) + 22)),
    }))
}

/** Returns a value in one short line; objects and lists only as a count, because the tree shows their members. */
function cellText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, 200)
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return `[ ${value.length} ]`
  if (typeof value === 'object' && value !== null) return `{ ${Object.keys(value).length} }`
  return String(value)
}

/** The column that the rows are sorted by, and the direction. */
export interface Sorting {
  readonly name: string
  readonly isDescending: boolean
}

const words = new Intl.Collator('en', { numeric: true })

/**
 * Returns the positions of the rows in sorted order: numbers by value, others by text, rows without the member last.
 */
export function sortedPositions(
  rows: readonly Record<string, unknown>[],
  sorting: Sorting | undefined,
): readonly number[] {
  const positions = [...rows.keys()]
  if (sorting === undefined) return positions
  const { name, isDescending } = sorting
  const values = rows.map(row => (Object.hasOwn(row, name) ? row[name] : undefined))
  const compare = (a: unknown, b: unknown) => {
    if (a === undefined || b === undefined) return Number(a === undefined) - Number(b === undefined)
    const order = isNumber(a) && isNumber(b) ? Number(a) - Number(b) : words.compare(cellText(a), cellText(b))
    return isDescending ? -order : order
  }
  return positions.sort((left, right) => compare(values[left], values[right]))
}

const isNumber = (value: unknown) => typeof value === 'number' || isLosslessNumber(value)

/** Returns the rows as CSV (RFC 4180). An apostrophe precedes a text that a spreadsheet would run as a formula. */
export function toCsv(
  rows: readonly Record<string, unknown>[],
  positions: readonly number[],
  columns: readonly Pick<Column, 'name'>[],
): string {
  const line = (cells: readonly unknown[]) => cells.map(csvCell).join(',')
  const names = columns.map(({ name }) => name)
  const lines = positions.map(at => {
    const row = rows[at] ?? {}
    return line(names.map(name => (Object.hasOwn(row, name) ? row[name] : undefined)))
  })
  return `${[line(names), ...lines].join('\r\n')}\r\n`
}

function csvCell(value: unknown): string {
  if (value === undefined || value === null) return ''
  const plain =
    typeof value === 'object' && !isLosslessNumber(value) ? (stringify(value) ?? '') : String(value)
  const text = typeof value === 'string' && /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
