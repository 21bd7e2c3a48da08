import type { Change } from '../../../core/diff/change.ts'

export interface ShownRun {
  readonly kind: 'same' | 'added' | 'removed' | 'gap'
  readonly text: string
}

/** Characters of unchanged text that are kept at each end of a run. */
const context = 160
/** Characters of changed text that are drawn before anyone asks for more, and at the very most. */
const shortLimit = 2_000
const longLimit = 60_000

/** The runs that are drawn, and how many characters were left out. Never more than 60,000 characters or 4,000 runs. */
export function shownRuns(
  words: NonNullable<Change['words']>,
  open: boolean,
): { readonly runs: readonly ShownRun[]; readonly left: number } {
  const limit = open ? longLimit : shortLimit
  const runs: ShownRun[] = []
  let total = 0
  let drawn = 0
  for (const { kind, text } of words) {
    total += text.length
    for (const run of kind === 'same' && !open ? withoutMiddle(text) : [{ kind, text }]) {
      if (drawn >= limit || runs.length >= 4_000) break
      const kept = run.text.slice(0, limit - drawn)
      runs.push({ ...run, text: kept })
      if (run.kind !== 'gap') drawn += kept.length
    }
  }
  return { runs, left: total - drawn }
}

function withoutMiddle(text: string): readonly ShownRun[] {
  if (text.length <= context * 3) return [{ kind: 'same', text }]
  return [
    { kind: 'same', text: text.slice(0, context) },
    { kind: 'gap', text: ' … ' },
    { kind: 'same', text: text.slice(-context) },
  ]
}
