import { expect, test } from 'vitest'
import { describeFreshness, joinFreshness, readFreshness } from './freshness.ts'

test('freshness: is read from an answer, at most one day', () => {
  const read = (ttlMs: unknown, cacheScope: unknown = 'private') => readFreshness({ ttlMs, cacheScope })
  expect(read(300_000)).toEqual({ ttlMs: 300_000, cacheScope: 'private' })
  expect(read(0, 'public')).toEqual({ ttlMs: 0, cacheScope: 'public' })
  expect(read(1.5, 'everybody')).toEqual({ ttlMs: 1, cacheScope: 'private' })
  for (const huge of [1e300, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER])
    expect(read(huge)?.ttlMs).toBe(86_400_000)
  for (const wrong of [-1, Number.NaN, '300000', null, {}, undefined, true])
    expect(read(wrong)).toBeUndefined()
  for (const answer of [undefined, null, [], 'text']) expect(readFreshness(answer)).toBeUndefined()
})

test('freshness: of several answers is the shortest and the narrowest', () => {
  expect(joinFreshness([undefined])).toBeUndefined()
  expect(
    joinFreshness([{ ttlMs: 9, cacheScope: 'public' }, undefined, { ttlMs: 5, cacheScope: 'private' }]),
  ).toEqual({ ttlMs: 5, cacheScope: 'private' })
})

test('freshness: is a short text', () => {
  const texts = [0, 20, 1_500, 60_000, 300_000, 7_777_777].map(ttlMs =>
    describeFreshness({ ttlMs, cacheScope: 'private' }),
  )
  expect(texts.map(text => text.replace(', private', ''))).toEqual([
    'may change at any time',
    'fresh for 20 ms',
    'fresh for 1.5 s',
    'fresh for 1 min',
    'fresh for 5 min',
    'fresh for 2.2 h',
  ])
})
