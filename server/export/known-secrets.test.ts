import { expect, it } from 'vitest'
import { knownSecrets, refuseSecrets } from './known-secrets.ts'

const secret = 'correct/horse battery'
const source = {
  name: 's',
  session: undefined,
  settings: { name: 's', environment: { DB_PASSWORD: secret } },
}

it.each([
  ['as it is', secret],
  ['in a URL', `https://a.example/?q=${encodeURIComponent(secret)}`],
  ['in a form', new URLSearchParams({ secret }).toString()],
  ['in base64', Buffer.from(secret).toString('base64')],
  ['in "Basic"', `Basic ${Buffer.from(`ada:${secret}`).toString('base64')}`],
  ['in base64 of a URL', Buffer.from(`{"password":"${secret}"}`).toString('base64url')],
])('refuseSecrets: refuses an export with a known secret %s, without printing it', (_, text) => {
  const files = new Map([['data/x/tools.js', JSON.stringify({ description: text })]])
  const refusal = () => refuseSecrets(files, knownSecrets({}, [source]))
  expect(refusal).toThrow('data/x/tools.js would contain the value of DB_PASSWORD')
  expect(refusal).not.toThrow(secret)
})

it('knownSecrets: returns the secrets of an open source, but no short or harmless values', () => {
  const session = { label: '', secrets: ['from-a-header', 'short'] } as never
  const environment = { PATH: '/usr/bin:/bin', API_KEY: 'k-12345678' }
  expect(knownSecrets(environment, [{ ...source, session, settings: { name: 's' } }])).toEqual([
    { name: 'API_KEY', value: 'k-12345678' },
    { name: 'a secret of the source "s"', value: 'from-a-header' },
  ])
})
