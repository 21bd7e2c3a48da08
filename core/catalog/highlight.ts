import type { MatchRanges } from '../api/catalog.ts'
import { fold } from './text.ts'

const mostRanges = 50

/** Where the needles (folded) stand in the text: in order, not overlapping, 50 at most. */
export function highlight(text: string, needles: readonly string[]): MatchRanges {
  const folded = fold(text)
  const found: [number, number][] = []
  for (const needle of needles) {
    if (needle === '') continue
    let count = 0
    for (
      let at = folded.indexOf(needle);
      at >= 0 && count < mostRanges;
      at = folded.indexOf(needle, at + needle.length)
    ) {
      found.push([at, at + needle.length])
      count += 1
    }
  }
  found.sort((a, b) => a[0] - b[0])
  const ranges: [number, number][] = []
  for (const [start, end] of found) {
    const last = ranges.at(-1)
    if (last !== undefined && start <= last[1]) last[1] = Math.max(last[1], end)
    else ranges.push([start, end])
  }
  return ranges.slice(0, mostRanges)
}
