import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonEquals } from './equality.ts'
import type { Json } from './json.ts'
import { readJson, readNumber, toPlain, writeJson } from './json-text.ts'

const roundTrip = (text: string) => {
  const reading = readJson(text)
  return reading.ok ? writeJson(reading.value, 0) : reading.reason
}

test('JSON text: keeps the digits of each number', () => {
  for (const number of [
    '9007199254740993',
    '0.1',
    '1.50',
    '1e400',
    '-0',
    '1E5',
    '3',
    '-12345678901234567890.5',
  ])
    expect(roundTrip(`{"n":${number}}`)).toBe(`{"n":${number}}`)
})

test('JSON text: compares numbers by value, not by spelling', () => {
  const same = (left: string, right: string) => jsonEquals(readNumber(left), readNumber(right))
  expect(same('1.0', '1')).toBe(true)
  expect(same('1e3', '1000')).toBe(true)
  expect(same('0', '-0')).toBe(true)
  expect(same('9007199254740993', '9007199254740992')).toBe(false)
})

test('JSON text: treats a key called __proto__ like any other', () => {
  expect(roundTrip('{"__proto__":{"a":1},"constructor":2}')).toBe('{"__proto__":{"a":1},"constructor":2}')
  const reading = readJson('{"a":1}')
  expect(reading.ok && 'constructor' in (toPlain(reading.value as Json) as object)).toBe(false)
})

test('JSON text: reads empty text as no value, and refuses broken and too deeply nested text', () => {
  expect(readJson(' \n')).toEqual({ ok: true, value: undefined })
  expect(readJson('{"a":}')).toMatchObject({ ok: false, reason: 'syntax' })
  expect(readJson('['.repeat(100_000))).toMatchObject({ ok: false, reason: 'too-deep' })
  expect(roundTrip('{"a":"[[[","b":1,"b":2}')).toBe('{"a":"[[[","b":2}')
})

test('JSON text: refuses broken text with the line and column of its first error', () => {
  const failureOf = (text: string) => {
    const reading = readJson(text)
    return reading.ok || reading.reason !== 'syntax'
      ? 'read'
      : [reading.line, reading.column, reading.message]
  }
  expect(failureOf('{\n  "a": 1\n  "b": 2}')).toEqual([
    3,
    3,
    `line 3, column 3: Comma ',' expected after value but got '"'`,
  ])
  expect(failureOf('garbage')).toEqual([1, 1, "line 1, column 1: JSON value expected but got 'g'"])
  expect(failureOf('{"a":')).toEqual([1, 6, "line 1, column 6: Object value expected after ':'"])
  // A line break inside a text is where the text went wrong; the message stays one line.
  expect(failureOf('{"a": "x\ny"}')).toEqual([1, 9, "line 1, column 9: Invalid character '\\n'"])
  // Editors count a line break of two characters once.
  expect(failureOf('[\r\n1,\r\n]')).toEqual([3, 1, "line 3, column 1: Array item expected but got ']'"])
})

test('JSON text: gives any JSON back as an equal value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const reading = readJson(JSON.stringify(value))
      expect(reading.ok && jsonEquals(reading.value, value as Json)).toBe(true)
      expect(reading.ok && JSON.parse(writeJson(reading.value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
