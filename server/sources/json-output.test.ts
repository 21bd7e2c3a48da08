import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { limitNow } from '../../scripts/test-processes.ts'
import { findJson } from './json-output.ts'

describe('findJson', () => {
  it('returns the whole output when it is JSON, scalars too', () => {
    expect(findJson('{\n  "a": 1\n}\n')).toEqual({ value: { a: 1 }, text: '{\n  "a": 1\n}', rest: '' })
    expect(findJson('"text"\n')?.value).toBe('text')
  })

  it('returns the last value after logs', () => {
    expect(findJson('warming up\n[info] 3 regions\n{"first":1}\n{\n  "b": "}"\n}\n')).toEqual({
      value: { b: '}' },
      text: '{\n  "b": "}"\n}',
      rest: 'warming up\n[info] 3 regions\n{"first":1}\n\n',
    })
  })

  it('returns a scalar on the last line', () => {
    expect(findJson('done in 3 s\n42\n')).toEqual({ value: 42, text: '42', rest: 'done in 3 s\n' })
  })

  it('returns null for text, HTML or nothing', () => {
    for (const text of ['', '\n', 'hello', '<html>{}</html>', '{"open": ']) expect(findJson(text)).toBeNull()
  })

  it('returns in time for hostile brackets', () => {
    const hostile = '{\n'.repeat(200_000)
    const started = performance.now()
    expect(findJson(hostile)).toBeNull()
    expect(performance.now() - started).toBeLessThan(limitNow(5_000))
  })

  it('finds any printed object after any log lines', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.string().filter(line => !/^[{["\d]|^(true|false|null)/.test(line) && !/[\n\r]/.test(line)),
        ),
        fc.dictionary(fc.string(), fc.jsonValue()),
        (logs, value) => {
          const printed = JSON.stringify(value, null, 2)
          const found = findJson(`${logs.map(line => `log: ${line}\n`).join('')}${printed}\n`)
          expect(found?.value).toEqual(JSON.parse(printed))
        },
      ),
    )
  })
})
