import { describe, expect, it } from 'vitest'
import { maxStoredLength, parseStoredValues, stringifyForStorage, withValue } from './variable-store.ts'

describe('values of agent variables', () => {
  it('come back as they were written, the empty text too', () => {
    const entered = { owner: 'Ada', place: '', __proto__x: '1' }
    expect(parseStoredValues(stringifyForStorage(entered) ?? null)).toEqual(entered)
  })

  it('leave secrets and very long values out of the storage', () => {
    const entered = { api_key: 'k', githubToken: 't', text: 'x'.repeat(maxStoredLength + 1) }
    expect(stringifyForStorage(entered)).toBeUndefined()
    expect(stringifyForStorage({ ...entered, owner: 'Ada' })).toBe('{"owner":"Ada"}')
  })

  it('survive a storage that someone spoiled', () => {
    for (const text of [null, '', 'null', '[1]', '{"a":', '3']) expect(parseStoredValues(text)).toEqual({})
    expect(parseStoredValues('{"a":1,"b":"x"}')).toEqual({ b: 'x' })
  })

  it('take the name __proto__ as any other', () => {
    const entered = withValue({}, '__proto__', 'x')
    expect(Object.hasOwn(entered, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(entered)).toBe(Object.prototype)
    expect(withValue(entered, '__proto__', undefined)).toEqual({})
  })
})
