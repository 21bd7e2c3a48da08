import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { jsonTokens } from './text-viewer.tsx'

const joined = (text: string) =>
  jsonTokens(text)
    .map(token => token.text)
    .join('')

describe('jsonTokens', () => {
  it('distinguishes keys, strings and numbers', () => {
    const kinds = jsonTokens('{"a": "b", "n": -1.5e3, "t": true}').filter(token => token.kind !== 'plain')
    expect(kinds.map(token => [token.kind, token.text])).toEqual([
      ['key', '"a"'],
      ['string', '"b"'],
      ['key', '"n"'],
      ['number', '-1.5e3'],
      ['key', '"t"'],
    ])
  })

  it('keeps every character of any text', () => {
    const hostile = fc.string({
      unit: fc.constantFrom('"', '\\', '-', '1', 'e', ':', ' ', '\n', '{', 'x', '\u2028'),
    })
    fc.assert(
      fc.property(fc.oneof(fc.string(), hostile), text => {
        expect(joined(text)).toBe(text)
      }),
    )
    expect(joined('"unclosed \\')).toBe('"unclosed \\')
  })

  it('reads hostile text in less than two seconds', () => {
    const text = `"${'\\'.repeat(200_001)}`
    const start = performance.now()
    expect(joined(text)).toBe(text)
    expect(performance.now() - start).toBeLessThan(2000)
  })
})
