import { expect, test } from 'vitest'
import { fitsWithOneTypo } from './vocabulary.ts'

test.each([
  ['deployment', 'deplyo', 'swapped, as the beginning of a longer word'],
  ['greet', 'gret', 'missing'],
  ['greet', 'greeet', 'too many'],
  ['rollback', 'rollbakc', 'swapped at the end'],
  ['rollback', 'xollback', 'wrong at the start'],
  ['rollback', 'ollback', 'missing at the start'],
  ['logs', 'losg', 'short'],
])('%s fits %s: %s', (token, word) => {
  expect(fitsWithOneTypo(token, word)).toBe(true)
})

test.each([
  ['rollback', 'rlolbcak', 'two slips'],
  ['regret', 'gret', 'not at the beginning'],
  ['greetings', 'grte', 'a short word against a long one'],
  ['to', 'tx', 'too short to tell'],
  ['', 'abc', 'nothing there'],
])('%s does not fit %s: %s', (token, word) => {
  expect(fitsWithOneTypo(token, word)).toBe(false)
})
