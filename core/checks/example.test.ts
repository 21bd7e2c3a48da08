import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { jsonEquals } from '../json/equality.ts'
import type { Json } from '../json/json.ts'
import { readJson, writeJson } from '../json/json-text.ts'
import type { FailureReason } from '../tool/invocation.ts'
import { failureReasons } from '../tool/invocation.ts'
import { type Example, readExample, writeExample } from './example.ts'

const read = (text: string): Example => {
  const reading = readExample(text)
  if (!reading.ok) throw new Error(reading.message)
  return reading.example
}

describe('example file', () => {
  it('keeps each number as written, and puts its keys in one order', () => {
    const text = '{"input":{"id":12345678901234567890,"price":1.10,"far":1e400},"name":"big"}'
    expect(writeExample(read(text))).toBe(
      '{\n  "name": "big",\n  "input": {\n    "id": 12345678901234567890,\n    "price": 1.10,\n    "far": 1e400\n  }\n}\n',
    )
  })

  it('keeps a member called __proto__', () => {
    const text = writeExample(read('{"name":"x","input":{"__proto__":{"a":1}}}'))
    expect(text).toContain('"__proto__"')
    expect(Object.keys(read(text).input as object)).toEqual(['__proto__'])
  })

  it.each([
    ['', 'it is empty'],
    ['{', 'it is not valid JSON'],
    ['[]', 'expected object'],
    ['{"input":1}', 'name: '],
    ['{"name":"a"}', 'input: '],
    ['{"name":"a","input":1,"inputs":2}', 'inputs'],
    ['{"name":"a","input":1,"expect":{"exact":1,"schema":{}}}', 'expect: must be one of'],
    ['{"name":"a","input":1,"expect":{"fails":"never"}}', 'expect: must be one of'],
    [`{"name":"a","input":${'['.repeat(300)}${']'.repeat(300)}}`, 'nested deeper'],
    [`{"name":"a","input":"${'x'.repeat(2_000_001)}"}`, 'longer than'],
  ])('is refused with a message that says what is wrong (case %#)', (text, message) => {
    const reading = readExample(text)
    expect(reading).toMatchObject({ ok: false, message: expect.stringContaining(message) })
  })

  it('reads back as it was written, for any input', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 5 }),
        fc.string({ minLength: 1, maxLength: 200 }),
        (value, name) => {
          const input = (readJson(JSON.stringify(value)) as { value: Json }).value
          const again = read(writeExample({ name, input, expect: { exact: input } }))
          expect(again.name).toBe(name)
          expect(jsonEquals(again.input, input)).toBe(true)
          expect(writeJson((again.expect as { exact: Json }).exact)).toBe(writeJson(input))
        },
      ),
    )
  })
})

test('example file: may expect each reason of a failure', () => {
  const reasons: readonly FailureReason[] = failureReasons
  const missing: Exclude<FailureReason, (typeof failureReasons)[number]>[] = []
  expect([reasons.length, missing]).toEqual([11, []])
})
