/**
 * Stores a list's order as numbers, so that items that keep their order keep their number, and only the others get a
 * new one.
 */

import { firstIndex } from '../lists.ts'

/** The gap between neighbours has room for about forty insertions; after that, all items get new numbers. */
const stepSize = 1024
const minGap = 1e-7

/**
 * Returns ascending positions for a list, one per item. `before` contains the former position of each item, undefined for
 * a new one. As many items as possible keep their position.
 */
export function positionsFor(before: readonly (number | undefined)[]): readonly number[] {
  const unmoved = longestAscending(before)
  const answer: number[] = []
  for (let start = 0; start < before.length; ) {
    const at = unmoved.has(start) ? before[start] : undefined
    if (at !== undefined) {
      answer.push(at)
      start += 1
      continue
    }
    let end = start
    while (end < before.length && !unmoved.has(end)) end += 1
    const low = answer.at(-1)
    const high = end < before.length ? before[end] : undefined
    const count = end - start
    const step = low !== undefined && high !== undefined ? (high - low) / (count + 1) : stepSize
    if (step < minGap) return before.map((_, index) => (index + 1) * stepSize)
    const from = low ?? (high === undefined ? 0 : high - (count + 1) * stepSize)
    for (let index = 1; index <= count; index++) answer.push(from + index * step)
    start = end
  }
  return answer
}

/** Returns the indexes of a longest ascending run among the numbers, in n log n steps. */
function longestAscending(values: readonly (number | undefined)[]): ReadonlySet<number> {
  /** For each length, the index of the smallest number that ends a run of that length. */
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
