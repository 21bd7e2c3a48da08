import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { closedPreview } from './tree-rows.ts'

describe('closedPreview', () => {
  it('names the first members of an object or a list', () => {
    expect(
      closedPreview({
        id: new LosslessNumber('12345678901234567890'),
        name: 'a',
        list: [1],
        sub: { x: 1 },
        e: 1,
      }),
    ).toBe('id: 12345678901234567890, name: "a", list: […], sub: {…}, …')
    expect(closedPreview([1, 'two', null, []])).toBe('1, "two", null, []')
  })
  it('stays under 100 characters for long keys and values', () => {
    expect(
      closedPreview({ ['k'.repeat(5000)]: 'v'.repeat(5000), b: 'x'.repeat(90), c: 'y'.repeat(90) }).length,
    ).toBeLessThan(100)
  })
})
