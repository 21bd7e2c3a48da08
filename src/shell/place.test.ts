import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePlace, parseSearch, stringifySearch } from './place.ts'

describe('the place in the URL', () => {
  it('comes back as it went in, whatever a name holds', () => {
    const place = fc.record(
      {
        tool: fc.string({ minLength: 1, unit: 'grapheme' }),
        q: fc.string({ minLength: 1 }),
        tab: fc.constantFrom('json' as const, 'schema' as const),
        about: fc.string({ minLength: 1 }),
        agent: fc.string({ minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(place, value => {
        expect(parsePlace(parseSearch(stringifySearch({ ...value })))).toEqual(value)
      }),
    )
  })

  it('keeps a query of digits as text', () => {
    expect(parsePlace(parseSearch('?q=42'))).toEqual({ q: '42' })
  })

  it('leaves out what it does not know', () => {
    expect(parsePlace({ tab: 'nonsense', filter: 'read-only,nope', q: '', tool: 3 })).toEqual({
      filter: 'read-only',
    })
  })

  it('writes a ref so that people can read it', () => {
    expect(stringifySearch({ tool: 'acme/api greet' })).toBe('?tool=acme/api+greet')
  })
})
