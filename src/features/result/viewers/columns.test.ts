import { describe, expect, it } from 'vitest'
import { columnsOf, maxColumns } from './columns.ts'

describe('columnsOf', () => {
  it('puts common members first and keeps their order', () => {
    const names = columnsOf([
      { id: 1, note: 'x' },
      { id: 2, name: 'b' },
      { id: 3, name: 'c' },
    ]).map(column => column.name)
    expect(names).toEqual(['id', 'name', 'note'])
  })
  it('is bounded in number and width', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`k${index}`, 'x'.repeat(index * 10)]),
    )
    const columns = columnsOf([wide])
    expect(columns).toHaveLength(maxColumns)
    expect(Math.max(...columns.map(column => column.width))).toBe(320)
  })
})
