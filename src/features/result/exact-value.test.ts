import { stringify } from 'lossless-json'
import { describe, expect, it } from 'vitest'
import { parseExactValue } from './exact-value.ts'

const exact = (raw: string) => parseExactValue({ content: [], raw, structuredContent: JSON.parse(raw) })

describe('parseExactValue', () => {
  it('keeps digits that a double would lose', () => {
    expect(stringify(exact('{"id":12345678901234567890,"n":1}'))).toBe('{"id":12345678901234567890,"n":1}')
    expect(stringify(exact('[0.12345678901234567890123]'))).toBe('[0.12345678901234567890123]')
    expect(stringify(exact('[1e400]'))).toBe('[1e400]')
  })
  it('leaves plain numbers plain', () => {
    expect(exact('{"id":12345678901234567890,"n":1.5}')).toMatchObject({ n: 1.5 })
  })
  it('returns the structured value where the raw text is more than the JSON', () => {
    const ending = { content: [], raw: 'noise 1234567890123456789\n{"a":1}', structuredContent: { a: 1 } }
    expect(parseExactValue(ending)).toEqual({ a: 1 })
  })
})
