import { expect, test } from 'vitest'
import { fitsWithOneTypo } from './query.ts'

test.each<[token: string, word: string, slip: string, fits?: boolean]>([
  ['deployment', 'deplyo', 'swapped, as the beginning of a longer word'],
  ['greet', 'gret', 'missing'],
  ['greet', 'greeet', 'too many'],
  ['rollback', 'rollbakc', 'swapped at the end'],
  ['rollback', 'xollback', 'wrong at the start'],
  ['rollback', 'ollback', 'missing at the start'],
  ['logs', 'losg', 'short'],
  ['rollback', 'rlolbcak', 'two slips', false],
  ['regret', 'gret', 'not at the beginning', false],
  ['greetings', 'grte', 'a short word against a long one', false],
  ['to', 'tx', 'too short to tell', false],
  ['', 'abc', 'nothing there', false],
])('fitsWithOneTypo: compares “%s” with the typed word “%s” (%s)', (token, word, _slip, fits = true) => {
  expect(fitsWithOneTypo(token, word)).toBe(fits)
})
