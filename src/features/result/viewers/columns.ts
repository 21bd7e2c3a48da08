import { isLosslessNumber, stringify } from 'lossless-json'

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
export function cellText(value: unknown): string {
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
