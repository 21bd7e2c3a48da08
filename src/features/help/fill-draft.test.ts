import { describe, expect, it } from 'vitest'
import { draftValue, fillDraft, hasValue } from './fill-draft.ts'

const filled = (...given: Parameters<typeof fillDraft>) => JSON.parse(fillDraft(...given) ?? 'null')

describe('a value from the help', () => {
  it('goes to its place, and what is entered stays', () => {
    expect(filled('', ['role'], 'owner')).toEqual({ role: 'owner' })
    expect(filled('{"name":"Ada"}', ['address', 'country'], 'NO')).toEqual({
      name: 'Ada',
      address: { country: 'NO' },
    })
    expect(fillDraft('{"id":12345678901234567890}', ['role'], 'x')).toContain('12345678901234567890')
  })

  it('is added to a list once', () => {
    expect(filled('{}', ['teams', null], 'search')).toEqual({ teams: ['search'] })
    expect(filled('{"teams":["search"]}', ['teams', null], 'search')).toEqual({ teams: ['search'] })
    expect(filled('{"teams":["a"]}', ['teams', null], 'b')).toEqual({ teams: ['a', 'b'] })
    expect(filled('{"items":[{"service":"a"}]}', ['items', null, 'service'], 'b')).toEqual({
      items: [{ service: 'a' }, { service: 'b' }],
    })
    expect(filled('{}', ['pair', 0], 'a')).toEqual({ pair: ['a'] })
  })

  it('takes no other value away', () => {
    expect(fillDraft('{"role":', ['role'], 'x')).toBeUndefined()
    expect(fillDraft('{"address":"here"}', ['address', 'country'], 'NO')).toBeUndefined()
    expect(fillDraft('[]', ['role'], 'x')).toBeUndefined()
    expect(fillDraft('{"pair":[]}', ['pair', 1], 1)).toBeUndefined()
  })

  it('keeps a key called __proto__ a key', () => {
    expect(fillDraft('', ['__proto__', 'a'], 1)).toBe('{\n  "__proto__": {\n    "a": 1\n  }\n}')
  })

  it('is known when it is there', () => {
    const draft = draftValue('{"role":"owner","teams":["a"],"items":[{"s":1}]}')
    expect(hasValue(draft, ['role'], 'owner')).toBe(true)
    expect(hasValue(draft, ['role'], 'auditor')).toBe(false)
    expect(hasValue(draft, ['teams', null], 'a')).toBe(true)
    expect(hasValue(draft, ['items', null, 's'], 1)).toBe(true)
    expect(hasValue(undefined, ['role'], 'owner')).toBe(false)
  })
})
