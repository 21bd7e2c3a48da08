import { expect, it } from 'vitest'
import type { Json } from '../json/json.ts'
import { callKey, findMaskedKey, findNearestKey } from './replay-key.ts'

/** Returns the recorded input that answers a call with this input. */
function findMasked(input: Json, ...recorded: readonly Json[]): Json | undefined {
  return findMaskedKey(
    callKey('t', input),
    recorded.map(each => [callKey('t', each), each]),
  )
}

it('findMaskedKey: only the masked part of a text differs', () => {
  const recorded = { url: 'https://a.example/x?token=•••&page=1' }
  expect(findMasked({ url: 'https://a.example/x?token=abc&page=1' }, recorded)).toBe(recorded)
  expect(findMasked({ url: 'https://b.example/y' }, recorded)).toBeUndefined()
  expect(findMasked({ url: 'https://a.example/x?token=abc&page=2' }, recorded)).toBeUndefined()
  expect(findMasked({ url: 'https://a.example/x?token=' }, recorded)).toBeUndefined()
  expect(findMasked({ url: 'https://a.example/x?token=abc&page=1', more: true }, recorded)).toBeUndefined()
  expect(findMasked({}, recorded)).toBeUndefined()
})

it('findMaskedKey: several masked parts, in JSON inside a text too', () => {
  const text = '{"password":"•••","pin":"•••","user":"ada"}'
  expect(findMasked({ text: '{"password":"a","pin":"b","user":"ada"}' }, { text })).toEqual({ text })
  expect(findMasked({ text: '{"password":"a","pin":"b","user":"bo"}' }, { text })).toBeUndefined()
  expect(findMasked({ text: 'aXbXa' }, { text: '•••X•••Xa' })).toEqual({ text: '•••X•••Xa' })
  expect(findMasked({ text: 'a.b*c' }, { text: 'a?b•••c' })).toBeUndefined()
})

it('findMaskedKey: literal parts of a text do not overlap', () => {
  expect(findMasked({ text: 'aba' }, { text: 'ab•••ba' })).toBeUndefined()
  expect(findMasked({ text: 'abba' }, { text: 'ab•••ba' })).toEqual({ text: 'ab•••ba' })
})

it('findMaskedKey: a text that is masked as a whole equals every value', () => {
  for (const value of ['abc', 12, true, null, { a: [1] }, ['x']])
    expect(findMasked({ a: 1, pin: value }, { a: 1, pin: '•••' })).toEqual({ a: 1, pin: '•••' })
  expect(findMasked({ a: 1 }, { a: 1, pin: '•••' })).toBeUndefined()
  expect(findMasked({ a: 2, pin: 1 }, { a: 1, pin: '•••' })).toBeUndefined()
})

it('findMaskedKey: the most specific request wins, and of equally specific ones the first', () => {
  const whole = { list: ['•••'] }
  const part = { list: ['Bearer •••'] }
  const longer = { list: ['Bearer gh_•••'] }
  expect(findMasked({ list: ['Bearer gh_1'] }, whole, part, longer)).toBe(longer)
  expect(findMasked({ list: ['Bearer gh_1'] }, longer, part, whole)).toBe(longer)
  expect(findMasked({ list: ['Bearer x'] }, whole, part, longer)).toBe(part)
  expect(findMasked({ list: ['x'] }, whole, part, longer)).toBe(whole)
  const [first, second] = [{ a: 'x•••' }, { a: '•••y' }]
  expect(findMasked({ a: 'x y' }, first, second)).toBe(first)
  expect(findMasked({ a: 'x y' }, second, first)).toBe(second)
  expect(findMasked({ a: 'u', b: 'v' }, { a: '•••', b: '•••' }, { a: 'u', b: '•••' })).toEqual({
    a: 'u',
    b: '•••',
  })
})

it('findMaskedKey: many masked parts are matched in little time', () => {
  const text = '•••a'.repeat(2_000)
  expect(findMasked({ text: `${'a'.repeat(50_000)}b` }, { text })).toBeUndefined()
})

it('findNearestKey: a masked text that does not fit is a difference', () => {
  const recorded = { url: 'https://a.example/?token=•••' }
  const nearest = findNearestKey(callKey('t', { url: 'https://b.example/' }), [
    [callKey('t', { url: 1, more: 2 }), 'far'],
    [callKey('t', recorded), 'near'],
  ])
  expect(nearest).toMatchObject({ entry: 'near', count: 1, first: { path: '/arguments/url' } })
})
