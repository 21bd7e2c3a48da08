import { isLosslessNumber } from 'lossless-json'

/** Columns shown at most, and rows looked at to find them. */
export const maxColumns = 40
const sample = 200

/** A column of the table: the member it shows and its width in pixels. */
export interface Column {
  readonly name: string
  readonly width: number
}

/** The members that the first rows have, the commonest first, in the order they are met, as wide as their texts. */
export function columnsOf(rows: readonly Record<string, unknown>[]): Column[] {
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

/** A value in one short line; of members only how many there are, the tree has them. */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value.slice(0, 200)
  if (isLosslessNumber(value)) return value.value
  if (Array.isArray(value)) return `[ ${value.length} ]`
  if (typeof value === 'object' && value !== null) return `{ ${Object.keys(value).length} }`
  return String(value)
}
