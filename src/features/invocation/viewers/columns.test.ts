import { describe, expect, it } from 'vitest'
import { columnLimit, columnsOf } from './columns.ts'

describe('columnsOf', () => {
  it('puts common members first and keeps their order', () => {
    expect(
      columnsOf([
        { id: 1, note: 'x' },
        { id: 2, name: 'b' },
        { id: 3, name: 'c' },
      ]),
    ).toEqual(['id', 'name', 'note'])
  })
  it('is bounded', () => {
    const wide = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`k${index}`, index]))
    expect(columnsOf([wide])).toHaveLength(columnLimit)
  })
})
