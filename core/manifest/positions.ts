/** Keeps a list's order in numbers, so that what stays in order keeps its number and only the rest gets a new one. */

import { firstIndex } from '../first-index.ts'

/** Between two neighbours there is room for about forty more; then all are numbered again. */
const stepSize = 1024
const minGap = 1e-7

/**
 * Positions for a list, ascending. An item that was in the list before comes with its old position; the most of them
 * that are in order keep it. The answer has one position an item.
 */
export function positionsFor(old: readonly (number | undefined)[]): readonly number[] {
  const kept = longestAscending(old)
  const answer: number[] = []
  for (let start = 0; start < old.length; ) {
    const at = kept.has(start) ? old[start] : undefined
    if (at !== undefined) {
      answer.push(at)
      start += 1
      continue
    }
    let end = start
    while (end < old.length && !kept.has(end)) end += 1
    const low = answer.at(-1)
    const high = end < old.length ? old[end] : undefined
    const count = end - start
    const step = low !== undefined && high !== undefined ? (high - low) / (count + 1) : stepSize
    if (step < minGap) return old.map((_, index) => (index + 1) * stepSize)
    const from = low ?? (high === undefined ? 0 : high - (count + 1) * stepSize)
    for (let index = 1; index <= count; index++) answer.push(from + index * step)
    start = end
  }
  return answer
}

/** Indexes of a longest ascending run among the numbers, found in n log n steps. */
function longestAscending(values: readonly (number | undefined)[]): ReadonlySet<number> {
  /** For each length the index at which a run of that length ends lowest. */
  const ends: number[] = []
  const before = new Map<number, number>()
  for (const [index, value] of values.entries()) {
    if (value === undefined) continue
    const length = firstIndex(ends.length, at => (values[ends[at] ?? 0] ?? 0) >= value)
    const previous = ends[length - 1]
    if (previous !== undefined) before.set(index, previous)
    ends[length] = index
  }
  const run = new Set<number>()
  for (let index = ends.at(-1); index !== undefined; index = before.get(index)) run.add(index)
  return run
}
