import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../json/json.ts'
import { findSecretFields, noFields } from './is-secret.ts'
import { isMarked, leaveOutOfText, leaveOutOfValue, leftOutAt, secretsIn } from './left-out.ts'

describe('stored input without secrets', () => {
  it('stays exactly the same if nothing in it is secret', () => {
    const text = '{ "id": 12345678901234567890, "n": 1.50, "page_token": "abc", "tokens": 3 }'
    expect(leaveOutOfText(text, noFields)).toEqual({ kept: text, pointers: [] })
    expect(leaveOutOfText(' ', noFields)).toEqual({ kept: ' ', pointers: [] })
  })

  it('has a marker for each secret, and keeps exact numbers, flags, empty texts and references', () => {
    const text =
      '{"id":12345678901234567890,"auth":{"apiKey":"x","user":"a"},"list":[{"token":"y"},{"pin":1}],' +
      `"api_keys":["k1",""],"secret":null,"password":"","passwd":true,"pwd":"$\{env:PWD}","n":"ghp_${'a'.repeat(36)}"}`
    const fields = findSecretFields({ properties: { pin: { writeOnly: true } } })
    const { kept = '', marker, pointers } = leaveOutOfText(text, fields) ?? {}
    expect(kept).toContain('12345678901234567890')
    expect(JSON.parse(kept)).toMatchObject({
      auth: { apiKey: '•••', user: 'a' },
      list: [{ token: '•••' }, { pin: '•••' }],
      api_keys: ['•••', ''],
      secret: null,
      password: '',
      passwd: true,
      // biome-ignore lint/suspicious/noTemplateCurlyInString: the example's own way to name a variable
      pwd: '${env:PWD}',
      n: '•••',
    })
    expect(marker).toBe('•••')
    expect(pointers).toEqual(['/auth/apiKey', '/list/0/token', '/list/1/pin', '/api_keys/0', '/n'])
    expect(leftOutAt(JSON.parse(kept), marker)).toEqual(pointers)
  })

  it('has a marker of its own if the user wrote bullets', () => {
    const value = { note: '•••', long: 'x•••••y', token: 't0ken' }
    const { kept, marker } = leaveOutOfValue(value, noFields)
    expect(kept).toEqual({ ...value, token: '••••••' })
    expect(leftOutAt(kept, marker)).toEqual(['/token'])
    const escaped = leaveOutOfText('{"note":"\\u2022\\u2022\\u2022","token":"x"}', noFields)
    expect(escaped?.marker).toBe('••••')
  })

  it('gives the same marker if the stored text is processed again', () => {
    const first = leaveOutOfText('{"token":"t0ken","a":1}', noFields)
    const again = leaveOutOfText(first?.kept ?? '', noFields, { marker: first?.marker })
    expect(again).toEqual(first)
    const open = leaveOutOfText('{"url":"https://•••@x","a":1}', noFields, { marker: '•••' })
    expect(open?.pointers).toEqual(['/url'])
  })

  it('loses secrets that are known from elsewhere, at any location', () => {
    const { kept, pointers } = leaveOutOfValue({ url: 'https://x/?a=from-env', 'from-env': 1 }, noFields, {
      secrets: ['from-env'],
    })
    expect(kept).toEqual({ url: 'https://x/?a=•••', '•••': 1 })
    expect(pointers).toEqual(['/url'])
  })

  it('is undefined if the text cannot be read', () => {
    expect(leaveOutOfText('{"token": "abc', noFields)).toBeUndefined()
    expect(leaveOutOfText('['.repeat(100_000), noFields)).toBeUndefined()
  })

  it('never contains a secret, and never takes a user’s value for a marker', () => {
    const bullets = fc.stringMatching(/^[•a]{0,6}$/)
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), bullets, (value, note) => {
        const input = { a: value, note, b: [{ password: 'p4ssw0rd!' }], password: { c: 'p4ssw0rd!' } } as Json
        const { kept, marker } = leaveOutOfValue(input, noFields)
        expect(JSON.stringify(kept)).not.toContain('p4ssw0rd!')
        expect(kept).toMatchObject({ note })
        expect(isMarked(note, marker)).toBe(false)
        expect(leftOutAt(kept, marker)).toEqual(expect.arrayContaining(['/b/0/password', '/password/c']))
      }),
    )
  })
})

describe('secretsIn', () => {
  it('finds texts and numbers below secret names, but not short ones', () => {
    const input = { name: 'Ada', token: { deep: ['tok-12345', 987_654] }, pwd: 'abc', secret: true }
    expect(new Set(secretsIn(input, noFields))).toEqual(new Set(['tok-12345', '987654']))
  })
  it('gives up if there are too many', () => {
    const tokens = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`token ${n}`, `value-${n}`]))
    expect(secretsIn(tokens, noFields)).toBeNull()
  })
})
