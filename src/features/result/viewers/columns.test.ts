import { LosslessNumber } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { maxColumns, pickColumns, sortedPositions, toCsv } from './table-viewer.tsx'

describe('pickColumns', () => {
  it('puts common members first and keeps their order', () => {
    const names = pickColumns([
      { id: 1, note: 'x' },
      { id: 2, name: 'b' },
      { id: 3, name: 'c' },
    ]).map(column => column.name)
    expect(names).toEqual(['id', 'name', 'note'])
  })
  it('limits the number and the width of columns', () => {
    const wide = Object.fromEntries(
      Array.from({ length: 500 }, (_, index) => [`k${index}`, 'x'.repeat(index * 10)]),
    )
    const columns = pickColumns([wide])
    expect(columns).toHaveLength(maxColumns)
    expect(Math.max(...columns.map(column => column.width))).toBe(320)
  })
})

const rows = [
  { id: 10, name: 'b "x"' },
  { id: new LosslessNumber('12345678901234567890'), name: '=1+1' },
  { id: 9, tags: ['a', 'b'] },
]

it('sortedPositions: sorts numbers by value and texts by words, and puts rows without the member last', () => {
  expect(sortedPositions(rows, undefined)).toEqual([0, 1, 2])
  expect(sortedPositions(rows, { name: 'id', isDescending: false })).toEqual([2, 0, 1])
  expect(sortedPositions(rows, { name: 'name', isDescending: false })).toEqual([1, 0, 2])
  expect(sortedPositions(rows, { name: 'name', isDescending: true })).toEqual([0, 1, 2])
})

it('toCsv: writes the shown columns with exact digits, doubled quotes and no formula', () => {
  expect(toCsv(rows, [2, 0, 1], [{ name: 'id' }, { name: 'name' }, { name: 'tags' }])).toBe(
    ['id,name,tags', '9,,"[""a"",""b""]"', '10,"b ""x""",', "12345678901234567890,'=1+1,", ''].join('\r\n'),
  )
})
