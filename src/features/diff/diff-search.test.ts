import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseSearch, stringifySearch } from '../../navigation.ts'
import { parseDiffSearch } from './diff-search.ts'

it('diff search: reads what it wrote, whatever a reference contains', () => {
  const text = fc.string({ minLength: 1, unit: 'grapheme' })
  const place = fc.record({ a: text, b: text, tool: text, q: text, schemas: text }, { requiredKeys: [] })
  fc.assert(
    fc.property(place, value => {
      expect(parseDiffSearch(parseSearch(stringifySearch({ ...value })))).toEqual(value)
    }),
  )
})

it('diff search: leaves out unknown values', () => {
  expect(parseDiffSearch({ show: 'nonsense,warning,breaking', strict: 'yes', a: 3, q: '' })).toEqual({
    show: 'breaking,warning',
  })
  expect(parseDiffSearch({ show: 'constructor', strict: '1' })).toEqual({ strict: '1' })
})

it('diff search: writes a reference so that people can read it', () => {
  expect(stringifySearch({ a: 'git:HEAD~1:old/tools.json', b: 'acme' })).toBe(
    '?a=git:HEAD%7E1:old/tools.json&b=acme',
  )
})
