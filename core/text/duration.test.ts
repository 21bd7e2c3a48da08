import { expect, it } from 'vitest'
import { formatTimeLimit, parseDuration, parseTimeLimit } from './duration.ts'

it.each([
  ['500ms', 500],
  ['60', 60_000],
  ['60s', 60_000],
  [' 60 s ', 60_000],
  ['1.5s', 1_500],
  ['5m', 300_000],
  ['5 min', 300_000],
  ['1H', 3_600_000],
  ['', null],
  ['s', null],
  ['-5s', null],
  ['5 minutes', null],
  ['1e3', null],
  ['1m30s', null],
])('parseDuration: reads %j as %j ms', (text, milliseconds) => {
  expect(parseDuration(text)).toBe(milliseconds)
})

it.each([
  ['99ms', null],
  ['100ms', 100],
  ['60m', 3_600_000],
  ['61m', null],
  ['soon', null],
])('parseTimeLimit: reads %j as %j ms', (text, milliseconds) => {
  expect(parseTimeLimit(text)).toBe(milliseconds)
})

it.each([
  [100, '100 ms'],
  [1_500, '1.5 s'],
  [60_000, '60 s'],
  [90_000, '90 s'],
  [300_000, '5 min'],
  [3_600_000, '1 h'],
  [61_234, '61.234 s'],
])('formatTimeLimit: writes %i ms as %j, which parseDuration reads back', (milliseconds, text) => {
  expect(formatTimeLimit(milliseconds)).toBe(text)
  expect(parseDuration(text)).toBe(milliseconds)
})
