import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isSecretName, secretNamesOf, withoutSecrets } from './secrets.ts'

const none: ReadonlySet<string> = new Set()

describe('isSecretName', () => {
  it.each([
    'token',
    'githubToken',
    'GITHUB_TOKEN',
    'api_key',
    'apiKey',
    'X-Api-Key',
    'db_password',
    'clientSecret',
    'Authorization',
    'secrets',
  ])('takes %s for a secret', name => expect(isSecretName(name)).toBe(true))
  it.each(['tokenizer', 'max_tokens', 'maxTokens', 'name', 'secretary', 'key', 'monkey', 'build', ''])(
    'takes %s for none',
    name => expect(isSecretName(name)).toBe(false),
  )
})

describe('secretNamesOf', () => {
  it('finds marks at any depth, through unions and arrays', () => {
    const schema = {
      properties: {
        pin: { anyOf: [{ type: 'string', format: 'password' }, { type: 'null' }] },
        list: { items: { properties: { code: { writeOnly: true }, open: {} } } },
      },
    }
    expect([...secretNamesOf(schema)].sort()).toEqual(['code', 'pin'])
  })

  it('ends on a schema that holds itself', () => {
    const schema: Record<string, unknown> = { properties: {} }
    schema.properties = { self: schema, pin: { format: 'password' } }
    expect([...secretNamesOf(schema)]).toEqual(['pin'])
  })
})

describe('withoutSecrets', () => {
  it('gives a text without secrets back to the letter', () => {
    const text = '{ "id": 12345678901234567890, "n": 1.50 }'
    expect(withoutSecrets(text, none)).toBe(text)
  })

  it('drops secret members and keeps exact numbers', () => {
    const text =
      '{"id":12345678901234567890,"auth":{"apiKey":"x","user":"a"},"list":[{"token":"y"},{"pin":1}]}'
    const kept = withoutSecrets(text, new Set(['pin'])) ?? ''
    expect(kept).toContain('12345678901234567890')
    expect(JSON.parse(kept)).toMatchObject({ auth: { user: 'a' }, list: [{}, {}] })
    expect(kept).not.toMatch(/apiKey|token|pin/)
  })

  it('keeps nothing of what it cannot read', () => {
    expect(withoutSecrets('{"token": "abc', none)).toBeUndefined()
    expect(withoutSecrets('['.repeat(100_000), none)).toBeUndefined()
  })

  it('never lets a marked value through', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), value => {
        const text = JSON.stringify({
          a: value,
          b: [{ password: 'p4ssw0rd!' }],
          password: { c: 'p4ssw0rd!' },
        })
        expect(withoutSecrets(text, none)).not.toContain('p4ssw0rd!')
      }),
    )
  })
})
