import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { emptyCall, foldEvents } from '../../core/tool/call-state.ts'
import type { Validation } from '../../core/tool/invocation.ts'
import { mask as MASK } from '../../core/tool/mask.ts'
import { buildRecord } from './record.ts'
import { type TestCall, testCall } from './testkit.ts'

function recordFor(call: TestCall) {
  const { events, facts } = testCall(call)
  const record = buildRecord(foldEvents(emptyCall, events), facts)
  if (record === null) throw new Error('no record')
  return record
}

describe('secrets in a call record', () => {
  const secret = 'hunter2"\\é/ü'
  const input = {
    name: 'Ada',
    apiKey: secret,
    nested: { token: { deep: ['tok-12345', 987_654] } },
    pin: '4711',
  }

  test('are masked in the input by name and by schema, and everywhere they are echoed', () => {
    const record = recordFor({
      input,
      ending: {
        structuredContent: { echo: secret, list: [`Bearer ${secret}!`], number: 987_654, [secret]: 1 },
        raw: JSON.stringify({ echo: secret, twice: JSON.stringify(secret) }),
        content: [{ type: 'text', text: `key=${encodeURIComponent(secret)} and tok-12345 and 4711` }],
        meta: { seen: Buffer.from(secret).toString('base64') },
      },
      logs: [{ type: 'stderr', text: `using ${secret}\n` }],
    })
    const all = JSON.stringify(record)
    expect(JSON.parse(record.inputText)).toEqual({
      name: 'Ada',
      apiKey: MASK,
      nested: { token: { deep: [MASK, MASK] } },
      pin: MASK,
    })
    expect(record.result.secretMarker).toBe(MASK)
    expect(record.result.inputMasked).toBe(true)
    for (const form of [secret, 'hunter2', 'tok-12345', '987654', '4711'])
      expect([form, all.includes(form)]).toEqual([form, false])
    expect(all).toContain(MASK)
  })

  test('of the environment are masked in the result', () => {
    const record = recordFor({ secrets: ['s3cr3t-env'], ending: { structuredContent: 'it is s3cr3t-env' } })
    expect(record.result.ending?.structuredContent).toBe(`it is ${MASK}`)
  })

  test('of variables are left out by name and value, as are long values', () => {
    const variables = { owner: 'Ada', api_key: 'k-1', note: 'with s3cr3t-env', long: 'x'.repeat(30_000) }
    const record = recordFor({ variables, secrets: ['s3cr3t-env'] })
    expect(record.result.variables).toEqual({ owner: 'Ada', api_key: null, note: null, long: null })
    expect(recordFor({}).result.variables).toBeUndefined()
  })

  test('are not in the messages of validation', () => {
    const { events, facts } = testCall({ input: { token: 'abcdefgh', name: 1 } })
    const validation: Validation = {
      verdict: 'invalid',
      issues: [
        { path: '/token', keyword: 'pattern', message: 'is "abcd…"', actual: 'string "abcd…"' },
        { path: '/name', keyword: 'type', message: 'must be string', actual: 'number 1' },
      ],
    }
    const call = { ...foldEvents(emptyCall, events), inputValidation: validation }
    const { issues } = buildRecord(call, facts)?.result.inputValidation ?? { issues: [] }
    expect(JSON.stringify(issues[0])).not.toContain('abcd')
    expect(issues[1]?.actual).toBe('number 1')
  })

  test('are masked whatever they are and wherever they are echoed', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 4, maxLength: 12 })
      .filter(each => !MASK.includes(each))
    fc.assert(
      fc.property(text, fc.jsonValue(), fc.nat(3), (value, other, place) => {
        fc.pre(
          !JSON.stringify([other, testCall().events[0]]).includes(value) &&
            !/^[\d\s.,:{}"\-a-z]+$/i.test(value),
        )
        const echo = [{ v: value }, [other, value], { [value]: other }, `<${value}>`][place]
        const record = recordFor({
          input: { password: value, other },
          ending: {
            structuredContent: echo,
            raw: JSON.stringify(echo),
            content: [{ type: 'text', text: value }],
          },
          logs: [{ type: 'stdout', text: `a ${value} b` }],
        })
        const strings: string[] = [record.inputText, record.result.ending?.raw ?? '']
        JSON.stringify([record.result.ending, record.logs], (key, part) => {
          strings.push(key)
          if (typeof part === 'string') strings.push(part)
          return part
        })
        return strings.every(each => !each.includes(value))
      }),
      { numRuns: 300 },
    )
  })

  test('stay masked in an answer if the logs before it are too long to be stored', () => {
    const schema = { type: 'object', properties: { phrase: { type: 'string', format: 'password' } } }
    const line = { type: 'stderr', text: `${'l'.repeat(10_000)}\n` } as const
    const record = recordFor({
      logs: [
        { type: 'question', question: { id: 'q', message: 'Phrase?', mode: 'form', schema } },
        ...Array.from({ length: 100 }, () => line),
        {
          type: 'answer',
          id: 'q',
          answer: { action: 'accept', content: { phrase: 'tulip-4' }, by: 'person' },
        },
      ],
    })
    expect(record.result.cut).toEqual(['logs'])
    expect(record.logs.filter(({ type }) => type !== 'stderr')).toMatchObject([
      { type: 'question', question: { id: 'q' } },
      { type: 'answer', answer: { content: { phrase: MASK } } },
    ])
  })

  test('remove the whole payload when they are too many to mask', () => {
    const tokens = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`token ${n}`, `value-${n}`]))
    const record = recordFor({
      input: tokens,
      ending: { structuredContent: 'value-7' },
      logs: [{ type: 'stderr', text: 'value-8' }],
    })
    expect(JSON.stringify(record)).not.toContain('value-')
    expect(record.result.cut).toEqual(['result'])
    expect(record.outcome).toBe('ok')
  })
})

describe('size of a call record', () => {
  test('is limited for a large result, which keeps its beginning and its verdict', () => {
    const record = recordFor({
      ending: {
        structuredContent: 'x'.repeat(6 * 1024 * 1024),
        raw: `"${'x'.repeat(6 * 1024 * 1024)}"`,
        content: Array.from({ length: 40 }, () => ({ type: 'text' as const, text: 'y'.repeat(100_000) })),
        validation: { verdict: 'invalid', issues: [] },
      },
    })
    expect(record.result.cut).toEqual(['result'])
    expect(record.outputVerdict).toBe('invalid')
    expect(JSON.stringify(record).length).toBeLessThan(2 * 1024 * 1024)
    expect(JSON.stringify(record)).toContain('[cut: 20 more blocks]')
  })

  test('is limited for large media, which become a note, and for a large text, which stays a text', () => {
    const data = 'A'.repeat(6 * 1024 * 1024)
    const image = recordFor({ ending: { content: [{ type: 'image', data, mimeType: 'image/png' }] } })
    expect(image.result.ending?.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('image/png'),
    })
    const raw = recordFor({ ending: { raw: data } })
    expect(raw.result.ending?.content[0]).toMatchObject({
      type: 'text',
      text: expect.stringContaining('[cut:'),
    })
  })

  test('is not limited for a result under the limit, which stays exact', () => {
    const raw = `{"n":12345678901234567890,"text":"${'z'.repeat(3_000_000)}"}`
    const record = recordFor({ ending: { raw } })
    expect(record.result.cut).toEqual([])
    expect(record.result.ending?.raw).toBe(raw)
  })

  test('is limited for logs and for the input, and the end of the logs is kept', () => {
    const record = recordFor({
      input: { text: 'i'.repeat(2_000_000) },
      logs: [
        ...Array.from({ length: 100 }, (_, n) => ({
          type: 'stderr' as const,
          text: `line ${n} ${'l'.repeat(10_000)}\n`,
        })),
        { type: 'stdout', text: `${'o'.repeat(2_000_000)}the end` },
      ],
    })
    expect(record.result.cut.toSorted()).toEqual(['input', 'logs'])
    expect(JSON.stringify(record.logs)).toContain('the end')
    expect(JSON.stringify(record).length).toBeLessThan(2_000_000)
  })

  test('does not include stdout that equals the result, but other stdout', () => {
    const same = recordFor({
      ending: { raw: '{"a":1}' },
      logs: [
        { type: 'stdout', text: '{"a":' },
        { type: 'stdout', text: '1}\n' },
      ],
    })
    expect(same.logs).toEqual([])
    const more = recordFor({ ending: { raw: '{"a":1}' }, logs: [{ type: 'stdout', text: 'hi\n{"a":1}\n' }] })
    expect(more.logs).toEqual([{ type: 'stdout', text: 'hi\n' }])
  })

  test('is limited for endless depth without an error; __proto__ keys stay own keys', () => {
    const record = recordFor({ ending: { structuredContent: JSON.parse('{"__proto__":{"x":1}}') } })
    expect(JSON.stringify(record.result.ending?.structuredContent)).toBe('{"__proto__":{"x":1}}')
    let deep: unknown = 'end'
    for (let n = 0; n < 200_000; n += 1) deep = [deep]
    const lost = recordFor({ input: { a: 1 }, ending: { structuredContent: deep } })
    expect(lost.result.cut).toEqual(['result'])
    expect(lost.outcome).toBe('ok')
  })
})
