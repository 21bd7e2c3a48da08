import type { MatchRanges } from '../../../core/catalog/rows.ts'
import styles from './catalog-row.module.css'

/** A text with its matches marked. Ranges outside the text are cut, overlapping ones joined. */
export function Highlight({ text, ranges }: { readonly text: string; readonly ranges: MatchRanges }) {
  if (ranges.length === 0) return text
  const parts = cutAtMatches(text, ranges)
  return parts.map(part =>
    part.match ? (
      <mark key={part.start} className={styles.mark}>
        {part.text}
      </mark>
    ) : (
      part.text
    ),
  )
}

interface HighlightPart {
  readonly start: number
  readonly text: string
  readonly match: boolean
}

export function cutAtMatches(text: string, ranges: MatchRanges): HighlightPart[] {
  const parts: HighlightPart[] = []
  let at = 0
  const add = (end: number, match: boolean) => {
    if (end <= at) return
    parts.push({ start: at, text: text.slice(at, end), match })
    at = end
  }
  for (const [start, end] of [...ranges].sort((a, b) => a[0] - b[0])) {
    add(Math.min(start, text.length), false)
    add(Math.min(end, text.length), true)
  }
  add(text.length, false)
  return parts
}
