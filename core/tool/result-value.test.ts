import { expect, test } from 'vitest'
import type { Ending } from './invocation.ts'
import { formatResult } from './result-value.ts'

const end = (members: Partial<Ending>): Ending =>
  ({
    type: 'result',
    content: [],
    durationMs: 1,
    ...members,
  }) as Ending

const text = (value: string) => ({ type: 'text' as const, text: value })

test('formatResult: prints a structured result once if its text is the same JSON', () => {
  const pretty = '{\n  "b": 1,\n  "a": [true]\n}'
  expect(formatResult(end({ content: [text(pretty)], structuredContent: { a: [true], b: 1 } }))).toBe(pretty)
})

test('formatResult: prints a result once if its text is the only member of the structured content', () => {
  const inner = '{"id":"a~b","count":12345678901234567890}'
  expect(
    formatResult(end({ content: [text(inner)], raw: `{"result":${inner}}`, structuredContent: {} })),
  ).toBe(inner)
  expect(formatResult(end({ content: [text('a\nb')], structuredContent: { content: 'a\nb' } }))).toBe('a\nb')
  const twoMembers = { content: 'a', more: 1 }
  expect(formatResult(end({ content: [text('a')], structuredContent: twoMembers }))).toBe(
    'a\n{"content":"a","more":1}',
  )
})

test('formatResult: prints both if the text says something else', () => {
  const structuredContent = { a: 1 }
  for (const other of ['one', '{"a":2}', '{"a":1,"b":2}'])
    expect(formatResult(end({ content: [text(other)], structuredContent }))).toBe(`${other}\n{"a":1}`)
  const two = [text('{"a":1}'), text('more')]
  expect(formatResult(end({ content: two, structuredContent }))).toBe('{"a":1}\nmore\n{"a":1}')
})

test('formatResult: prints the text or the structured content that a result has', () => {
  expect(formatResult(end({ content: [text('hi')] }))).toBe('hi')
  expect(formatResult(end({ structuredContent: { a: 1 } }))).toBe('{"a":1}')
  expect(formatResult(end({}))).toBe('')
})
