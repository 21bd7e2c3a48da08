import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../json/equality.ts'
import type { Json } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import { findDifferences } from './differences.ts'

const json = (text: string) => (readJson(text) as { value: Json }).value
const places = (a: string, b: string) => findDifferences(json(a), json(b)).differences

describe('findDifferences', () => {
  it.each([
    ['{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
    ['1', '1.0'],
    ['100', '1e2'],
    ['[12345678901234567890]', '[12345678901234567890.0]'],
    ['0', '-0.0'],
  ])('finds none between %s and %s', (a, b) => expect(places(a, b)).toEqual([]))

  it('names the deepest place and both sides', () => {
    expect(places('{"a":{"b":[1,2]},"c":true}', '{"a":{"b":[1,3,4]},"d/e":null}')).toEqual([
      { path: '/a/b/1', expected: '2', actual: '3' },
      { path: '/a/b/2', actual: '4' },
      { path: '/c', expected: 'true' },
      { path: '/d~1e', actual: 'null' },
    ])
  })

  it('finds digits that a double loses', () => {
    expect(places('12345678901234567890', '12345678901234567891')).toHaveLength(1)
  })

  it('tells null from an absent member, and a member called __proto__ from none', () => {
    expect(places('{"a":null}', '{}')).toEqual([{ path: '/a', expected: 'null' }])
    expect(places('{"__proto__":{}}', '{}')).toEqual([{ path: '/__proto__', expected: '{}' }])
  })

  it('counts the differences that it does not list', () => {
    const long = JSON.stringify(Array.from({ length: 80 }, (_, at) => at))
    expect(findDifferences(json('[]'), json(long))).toMatchObject({ more: 30, differences: { length: 50 } })
  })

  it('finds none between a value and itself, and some in both directions between unequal values', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [json(JSON.stringify(a)), json(JSON.stringify(b))]
        expect(findDifferences(left, left).differences).toEqual([])
        const differ = canonicalJson(left) !== canonicalJson(right)
        expect(findDifferences(left, right).differences.length > 0).toBe(differ)
        expect(findDifferences(right, left).differences.length > 0).toBe(differ)
      }),
    )
  })
})
