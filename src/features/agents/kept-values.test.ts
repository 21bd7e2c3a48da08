import { describe, expect, it } from 'vitest'
import { keptText, keptValueLimit, readKept, withValue } from './kept-values.ts'

describe('values of agent variables', () => {
  it('come back as they were written, the empty text too', () => {
    const given = { owner: 'Ada', place: '', __proto__x: '1' }
    expect(readKept(keptText(given) ?? null)).toEqual(given)
  })

  it('leave secrets and very long values out of the storage', () => {
    const given = { api_key: 'k', githubToken: 't', text: 'x'.repeat(keptValueLimit + 1) }
    expect(keptText(given)).toBeUndefined()
    expect(keptText({ ...given, owner: 'Ada' })).toBe('{"owner":"Ada"}')
  })

  it('survive a storage that someone spoiled', () => {
    for (const text of [null, '', 'null', '[1]', '{"a":', '3']) expect(readKept(text)).toEqual({})
    expect(readKept('{"a":1,"b":"x"}')).toEqual({ b: 'x' })
  })

  it('take the name __proto__ as any other', () => {
    const given = withValue({}, '__proto__', 'x')
    expect(Object.hasOwn(given, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype)
    expect(withValue(given, '__proto__', undefined)).toEqual({})
  })
})
