import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson } from '../json/equality.ts'
import type { Json } from '../json/json.ts'
import { readJson } from '../json/json-text.ts'
import type { EndedEvent } from '../tool/invocation.ts'
import { compareAnswers, findDifferences } from './differences.ts'
import { type Mask, readMasks } from './masks.ts'

const json = (text: string) => (readJson(text) as { value: Json }).value
const places = (a: string, b: string) => findDifferences(json(a), json(b)).differences

describe('findDifferences', () => {
  it.each([
    ['{"a":1,"b":[2]}', '{"b":[2],"a":1}'],
    ['1', '1.0'],
    ['100', '1e2'],
    ['[12345678901234567890]', '[12345678901234567890.0]'],
    ['0', '-0.0'],
  ])('finds none between %s and %s', (a, b) => expect(places(a, b)).toEqual([]))

  it('names the deepest location and both sides', () => {
    expect(places('{"a":{"b":[1,2]},"c":true}', '{"a":{"b":[1,3,4]},"d/e":null}')).toEqual([
      { path: '/a/b/1', expected: '2', actual: '3' },
      { path: '/a/b/2', actual: '4' },
      { path: '/c', expected: 'true' },
      { path: '/d~1e', actual: 'null' },
    ])
  })

  it('finds digits that a double loses', () => {
    expect(places('12345678901234567890', '12345678901234567891')).toHaveLength(1)
  })

  it('tells null from an absent member, and a member called __proto__ from none', () => {
    expect(places('{"a":null}', '{}')).toEqual([{ path: '/a', expected: 'null' }])
    expect(places('{"__proto__":{}}', '{}')).toEqual([{ path: '/__proto__', expected: '{}' }])
  })

  it('counts the differences that it does not list', () => {
    const long = JSON.stringify(Array.from({ length: 80 }, (_, at) => at))
    expect(findDifferences(json('[]'), json(long))).toMatchObject({ more: 30, differences: { length: 50 } })
  })

  it('finds none between a value and itself, and some in both directions between unequal values', () => {
    const value = fc.jsonValue({ maxDepth: 3 })
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [json(JSON.stringify(a)), json(JSON.stringify(b))]
        expect(findDifferences(left, left).differences).toEqual([])
        const differ = canonicalJson(left) !== canonicalJson(right)
        expect(findDifferences(left, right).differences.length > 0).toBe(differ)
        expect(findDifferences(right, left).differences.length > 0).toBe(differ)
      }),
    )
  })
})

const rest = {
  validation: { verdict: 'unchecked', issues: [] },
  timing: { startedAt: '', durationMs: 1 },
} as const
const result = (raw: string): EndedEvent => ({
  ...rest,
  type: 'result',
  content: [],
  structuredContent: JSON.parse(raw),
  raw,
})
const text = (...texts: string[]): EndedEvent => ({
  ...rest,
  type: 'result',
  content: texts.map(each => ({ type: 'text', text: each })),
})
const failure = (reason: 'tool-error' | 'timeout', message: string): EndedEvent => ({
  ...rest,
  type: 'failure',
  reason,
  message,
  content: [],
})
const masksOf = (...masks: object[]): readonly Mask[] => {
  const reading = readMasks(JSON.stringify({ masks }))
  if (!reading.ok) throw new Error(reading.message)
  return reading.masks
}
const compare = (a: EndedEvent, b: EndedEvent, masks: readonly Mask[] = []) =>
  compareAnswers(
    [
      { name: 'old', ending: a },
      { name: 'new', ending: b },
    ],
    masks,
  )

describe('compareAnswers', () => {
  it.each([
    ['key order and spelling of numbers', result('{"a":1,"b":1.0}'), result('{"b":1,"a":1.0}'), 'same'],
    [
      'digits that a double loses',
      result('12345678901234567890'),
      result('12345678901234567891'),
      'different',
    ],
    ['JSON in a text', text('{"a": 1, "b": 2}'), text('{"b":2,"a":1}'), 'same'],
    ['a failure in the same words', failure('tool-error', 'no'), failure('tool-error', 'no'), 'same'],
    ['a failure in other words', failure('tool-error', 'no'), failure('tool-error', 'never'), 'different'],
    ['a result and an error with the same text', text('no'), { ...text('no'), isError: true }, 'different'],
    ['no answer on both sides', failure('timeout', 'late'), failure('timeout', 'late'), 'failed'],
  ] as const)('decides the status for %s', (_, a, b, status) => expect(compare(a, b).status).toBe(status))

  it('compares the JSON inside a text location by location', () => {
    expect(
      compare(text('{"items":[{"id":1},{"id":2}]}'), text('{"items":[{"id":1},{"id":3}]}')),
    ).toMatchObject({
      message: 'the answers differ at 1 location',
      differences: [{ path: '/items/1/id', expected: '2', actual: '3' }],
    })
  })

  it('names the side that gave no answer', () => {
    expect(compare(text('x'), failure('timeout', 'no end within 100 ms')).message).toBe(
      'new gave no answer: timeout, no end within 100 ms',
    )
  })

  it('shows where two long texts differ', () => {
    const long = 'x'.repeat(1_000)
    const [found] = compare(text(`${long} one`), text(`${long} two`)).differences
    expect(found?.expected).toMatch(/^…x{40} one"$|^…x{39} one"$/)
    expect(found?.actual).toContain('two')
  })

  it('contains no text that has to be hidden', () => {
    const hide = (each: string) => each.replaceAll('s3cr3t', 'HIDDEN')
    const sides = [
      { name: 'old', ending: result('{"s3cr3t":"s3cr3t a"}') },
      { name: 'new', ending: result('{"s3cr3t":"s3cr3t b"}') },
    ] as const
    const compared = compareAnswers(sides, [], hide)
    expect(compared.differences).toHaveLength(1)
    expect(JSON.stringify(compared)).not.toContain('s3cr3t')
  })
})

describe('answer masks', () => {
  const before = result(
    '{"id":"a1","at":"2026-11-21T10:00:00Z","list":[{"orderId":1,"name":"x"}],"deep":{"er":{"id":2}}}',
  )
  const after = result(
    '{"id":"b2","at":"2026-11-22T11:30:00Z","list":[{"orderId":2,"name":"x"}],"deep":{"er":{"id":3}}}',
  )

  it.each([
    [['/id', '/at', '/list/*/orderId', '/deep/er/id'], []],
    [['/**/id', '/at', '/list/0/*ID'], []],
    [['/**/*id', '/*'], []],
    [[''], []],
    [['/**'], []],
    [
      ['/list/*/name', '/at', '/id'],
      ['/list/0/orderId', '/deep/er/id'],
    ],
    [['/deep'], ['/id', '/at', '/list/0/orderId']],
  ])('the masks %j leave differences at %j', (paths, left) => {
    const masks = masksOf(...paths.map(path => ({ path })))
    expect(compare(before, after, masks).differences.map(({ path }) => path)).toEqual(left)
  })

  it('leave out what a pattern matches, in texts and in numbers', () => {
    const time = { path: '/**', pattern: '\\d{4}-\\d\\d-\\d\\dT[\\d:]+Z' }
    const a = text('made 2026-11-21T10:00:00Z by Ada')
    expect(compare(a, text('made 2026-11-22T11:30:00Z by Ada'), masksOf(time)).status).toBe('same')
    expect(compare(a, text('made 2026-11-22T11:30:00Z by Eve'), masksOf(time)).status).toBe('different')
    expect(compare(result('[101]'), result('[102]'), masksOf({ path: '/0', pattern: '\\d$' })).status).toBe(
      'same',
    )
  })

  it('hide a value, but not that the value is missing', () => {
    const masks = masksOf({ path: '/at' })
    expect(compare(result('{"at":1}'), result('{}'), masks).differences).toEqual([
      { path: '/at', expected: '"•••"' },
    ])
  })

  it('take linear time for any pattern and path', () => {
    const masks = masksOf({ path: '/**/**/**/**/x' }, { path: '', pattern: '^(a+)+$' })
    const nested = `${'{"a":'.repeat(150)}"${'a'.repeat(5_000)}!"${'}'.repeat(150)}`
    expect(compare(result(nested), result(nested), masks).status).toBe('same')
  })

  it.each([
    ['{', 'not valid JSON'],
    ['', 'the file: '],
    ['{"masks":[{"path":"id"}]}', 'masks.0.path: must begin with /'],
    ['{"masks":[{"path":"/a","patern":"x"}]}', 'patern'],
    ['{"masks":[{"path":"/a","pattern":"("}]}', 'masks.0.pattern: is not a regular expression'],
    ['{"masks":[{"path":"/a","pattern":"(?=x)"}]}', 'masks.0.pattern: is not a regular expression'],
  ])('report what is wrong with %s', (file, message) => {
    expect(readMasks(file)).toMatchObject({ ok: false, message: expect.stringContaining(message) })
  })
})
