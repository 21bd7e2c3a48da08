import { beforeAll, expect, test } from 'vitest'
import { loadMatchersFor, testPattern } from './safe-pattern.ts'
import { isReadable, textExample } from './text-example.ts'

beforeAll(() => loadMatchersFor('(?!'))

test.each([
  // The author's own, where it fits.
  [{ pattern: '^b-[0-9]+$', examples: ['x', 'b-77'] }, 'b-77'],
  [{ pattern: '^b-[0-9]+$', default: 'b-1' }, 'b-1'],
  [{ pattern: '^b-[0-9]+$', description: 'A build such as "b-1842", never `latest`.' }, 'b-1842'],
  [{ pattern: '^b-[0-9]+$', description: 'The build, e.g. b-9.' }, 'b-9'],
  [{ pattern: '^b-[0-9]+$', description: "For example: b-10, the user's own" }, 'b-10'],
  [{ pattern: '^[a-z]+$', description: 'The \u2018region\u2019 in lower case' }, 'region'],
  // What people know by its look.
  [{ pattern: '^\\d{4}-\\d{2}-\\d{2}$' }, '2026-11-21'],
  [{ pattern: '^https?://' }, 'https://example.com/'],
  [{ pattern: '^[^@\\s]+@[^@\\s]+\\.[a-z]+$' }, 'ada@example.com'],
] as const)('textExample: shows %j by %s', (schema, example) => {
  expect(textExample(schema, schema.pattern)).toBe(example)
})

test.each([
  '^b-[0-9]+$',
  '^[A-Z]{2}\\d{4}$',
  '^projects/[a-z]+$',
  '^[a-z0-9-]{1,63}$',
  '^\\d{12}$',
  '^[^/]+/[^/]+$',
])('textExample: makes a matching text for %s', pattern => {
  const example = textExample({ pattern }, pattern)
  expect(example).toBeDefined()
  expect(testPattern(pattern, example ?? '')).toBe(true)
})

test.each([
  '^[a-f0-9]{32}$',
  '^[A-Za-z0-9_-]{22}$',
  '^[\\x00-\\x1f]+$',
  '^[\\u{1F600}-\\u{1F64F}]{4}$',
  '^[^a-zA-Z0-9]+$',
  '^.{200,}$',
  '(',
])('textExample: gives nothing for %s', pattern => {
  expect(textExample({ pattern }, pattern)).toBeUndefined()
})

test('isReadable: refuses long random runs, and signs that the pattern does not name', () => {
  const readable = ['b-184', 'projects/ab', '4111111111111111', 'a.b_c-d']
  const gibberish = ['', ' a', 'q8fk2mzx0p', 'a\u0007', '}{^', 'a}b', '\u{1F600}', 'x'.repeat(61)]
  expect(readable.filter(text => !isReadable(text, '^projects/'))).toEqual([])
  expect(gibberish.filter(text => isReadable(text, '^projects/'))).toEqual([])
})
