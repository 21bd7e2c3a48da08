import { expect, it } from 'vitest'
import { limitRuns } from './visible-text.tsx'

it('shownRuns: keeps changed text, and only the ends of long unchanged text', () => {
  const { runs, omitted } = limitRuns(
    [
      { kind: 'same', text: 'a'.repeat(1_000) },
      { kind: 'added', text: 'new words' },
      { kind: 'removed', text: 'old words' },
    ],
    false,
  )
  expect(runs.map(run => [run.kind, run.text.length])).toEqual([
    ['same', 160],
    ['gap', 3],
    ['same', 160],
    ['added', 9],
    ['removed', 9],
  ])
  expect(omitted).toBe(680)
})

it('shownRuns: shows all on demand, up to a limit', () => {
  const words = Array.from({ length: 10_000 }, () => ({ kind: 'added' as const, text: 'x'.repeat(100) }))
  for (const open of [false, true]) {
    const { runs, omitted } = limitRuns(words, open)
    const drawn = runs.reduce((sum, run) => sum + run.text.length, 0)
    expect(drawn).toBeLessThanOrEqual(60_000)
    expect(drawn + omitted).toBe(1_000_000)
  }
  expect(limitRuns([{ kind: 'same', text: 'y'.repeat(5_000) }], true)).toMatchObject({ omitted: 0 })
})
