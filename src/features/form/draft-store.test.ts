import { expect, test, vi } from 'vitest'
import { DraftStore, DraftText } from './draft-store.ts'

test('DraftStore: creates the objects on the way, removes only the key, and changes nothing in place', () => {
  const start = { kept: { a: 1 } }
  const store = new DraftStore(start)
  store.set(['list', 0, 'name'], 'x')
  expect(store.get([])).toEqual({ kept: { a: 1 }, list: [{ name: 'x' }] })
  expect(store.get(['kept'])).toBe(start.kept)
  store.set(['list', 0, 'name'], undefined)
  expect(store.get([])).toEqual({ kept: { a: 1 }, list: [{}] })
  store.set(['nowhere', 'deep'], undefined)
  expect(store.get([])).toEqual({ kept: { a: 1 }, list: [{}] })
  expect(start).toEqual({ kept: { a: 1 } })
})

test('DraftStore: distinguishes absent, null and empty values', () => {
  const store = new DraftStore(undefined)
  for (const value of [null, '', [], {}] as const) {
    store.set(['a'], value)
    expect(store.get([])).toEqual({ a: value })
  }
  store.set(['a'], undefined)
  expect(store.get([])).toEqual({})
})

test('DraftStore: treats keys of Object.prototype as ordinary keys', () => {
  const store = new DraftStore({})
  expect(store.get(['constructor'])).toBeUndefined()
  store.set(['__proto__', 'polluted'], 1)
  expect(JSON.stringify(store.get([]))).toBe('{"__proto__":{"polluted":1}}')
  expect({}).not.toHaveProperty('polluted')
})

test('DraftText: reports edits once after a pause or at once on flush, and no text from outside', () => {
  vi.useFakeTimers()
  const told: string[] = []
  const draft = new DraftText('{"n": 9007199254740993}')
  draft.onText(text => told.push(text))
  draft.store.set(['a'], 'x')
  draft.store.set(['a'], 'xy')
  expect(told).toEqual([])
  vi.advanceTimersByTime(200)
  expect(told).toEqual(['{\n  "n": 9007199254740993,\n  "a": "xy"\n}'])
  draft.store.set(['a'], undefined)
  expect(draft.flush()).toBe('{\n  "n": 9007199254740993\n}')
  draft.accept('{"b":1}')
  vi.advanceTimersByTime(200)
  expect(told).toHaveLength(2)
  expect(draft.store.get([])).toEqual({ b: 1 })
  vi.useRealTimers()
})
