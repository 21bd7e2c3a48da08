import { describe, expect, it } from 'vitest'
import { maxStoredLength, parseStoredValues, stringifyForStorage, withValue } from './variable-store.ts'

describe('agent variable store', () => {
  it('reads the values as they were written, the empty text too', () => {
    const entered = { owner: 'Ada', place: '', __proto__x: '1' }
    expect(parseStoredValues(stringifyForStorage(entered) ?? null)).toEqual(entered)
  })

  it('leaves secrets and very long values out of the storage', () => {
    const entered = { api_key: 'k', githubToken: 't', text: 'x'.repeat(maxStoredLength + 1) }
    expect(stringifyForStorage(entered)).toBeUndefined()
    expect(stringifyForStorage({ ...entered, owner: 'Ada' })).toBe('{"owner":"Ada"}')
  })

  it('reads only what is valid in a damaged storage', () => {
    for (const text of [null, '', 'null', '[1]', '{"a":', '3']) expect(parseStoredValues(text)).toEqual({})
    expect(parseStoredValues('{"a":1,"b":"x"}')).toEqual({ b: 'x' })
  })

  it('treats the name __proto__ like any other name', () => {
    const entered = withValue({}, '__proto__', 'x')
    expect(Object.hasOwn(entered, '__proto__')).toBe(true)
    expect(Object.getPrototypeOf(entered)).toBe(Object.prototype)
    expect(withValue(entered, '__proto__', undefined)).toEqual({})
  })
})
