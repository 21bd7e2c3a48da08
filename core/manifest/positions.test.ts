import fc from 'fast-check'
import { expect, test } from 'vitest'
import { positionsFor } from './positions.ts'

const ascending = (values: readonly number[]) =>
  values.every((value, at) => at === 0 || (values[at - 1] ?? 0) < value)

test('positionsFor: keeps the position of what stays in order', () => {
  expect(positionsFor([undefined, undefined])).toEqual([1024, 2048])
  expect(positionsFor([1024, undefined, 2048])).toEqual([1024, 1536, 2048])
  expect(positionsFor([undefined, 1024, 3072])).toEqual([0, 1024, 3072])
  expect(positionsFor([3072, 1024, 2048])).toEqual([0, 1024, 2048])
})

test('positionsFor: gives ascending positions for any list', () => {
  fc.assert(
    fc.property(
      fc.array(fc.option(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { nil: undefined })),
      old => {
        const next = positionsFor(old)
        expect(next).toHaveLength(old.length)
        expect(ascending(next)).toBe(true)
      },
    ),
  )
})

test('positionsFor: never runs out of room at a location that is filled again and again', () => {
  let list: number[] = [...positionsFor([undefined, undefined])]
  for (let round = 0; round < 200; round++) {
    const [first, ...rest] = list
    list = [...positionsFor([first, undefined, ...rest])]
    expect(ascending(list)).toBe(true)
  }
})
