import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseSearch, parseWorkbenchSearch, stringifySearch } from './navigation.ts'

describe('workbench search parameters', () => {
  it('survive writing and reading, whatever text they contain', () => {
    const search = fc.record(
      {
        tool: fc.string({ minLength: 1, unit: 'grapheme' }),
        q: fc.string({ minLength: 1 }),
        tab: fc.constantFrom('json' as const, 'reference' as const),
        about: fc.string({ minLength: 1 }),
        agent: fc.string({ minLength: 1 }),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(search, value => {
        expect(parseWorkbenchSearch(parseSearch(stringifySearch({ ...value })))).toEqual(value)
      }),
    )
  })

  it('keep a query of digits as text', () => {
    expect(parseWorkbenchSearch(parseSearch('?q=42'))).toEqual({ q: '42' })
  })

  it('drop unknown keys and values', () => {
    expect(parseWorkbenchSearch({ tab: 'nonsense', filter: 'read-only,nope', q: '', tool: 3 })).toEqual({
      filter: 'read-only',
    })
  })

  it('accept the former names of the reference tab', () => {
    for (const tab of ['schema', 'help']) expect(parseWorkbenchSearch({ tab })).toEqual({ tab: 'reference' })
  })

  it('write a ref so that people can read it', () => {
    expect(stringifySearch({ tool: 'acme/api greet' })).toBe('?tool=acme/api+greet')
  })
})
