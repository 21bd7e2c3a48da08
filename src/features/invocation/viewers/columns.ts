/** Columns shown at most, and rows looked at to find them. */
export const columnLimit = 40
const sample = 200

/** The members that the first rows have, the commonest first, in the order they are met. */
export function columnsOf(rows: readonly Record<string, unknown>[]): string[] {
  const counts = new Map<string, number>()
  for (const row of rows.slice(0, sample)) {
    for (const key of Object.keys(row)) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts.entries()]
    .sort((a, b) => b[1] - a[1])
    .slice(0, columnLimit)
    .map(([key]) => key)
}
