import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cutAtMatches } from './highlight.tsx'

describe('cutAtMatches', () => {
  it('marks the text that the ranges name', () => {
    expect(cutAtMatches('run_deploy', [[4, 10]])).toEqual([
      { start: 0, text: 'run_', match: false },
      { start: 4, text: 'deploy', match: true },
    ])
  })

  it('never loses or repeats a character, whatever the ranges are', () => {
    const range = fc.tuple(fc.nat(30), fc.nat(30))
    fc.assert(
      fc.property(fc.string({ maxLength: 20 }), fc.array(range, { maxLength: 5 }), (text, ranges) => {
        expect(
          cutAtMatches(text, ranges)
            .map(part => part.text)
            .join(''),
        ).toBe(text)
      }),
    )
  })
})
