import { Hono } from 'hono'
import { describe, expect, test } from 'vitest'
import { openPeople } from '../people/people.ts'
import { OneTimeCodes } from '../sign-in/one-time-codes.ts'
import { sqlite } from '../store/testkit.ts'
import { withGate } from './gate.ts'
import { type Access, createAccess, guard } from './security.ts'
import { readProxyPeople } from './token.ts'

const testToken = 'a-secret-of-the-team-0123456789'

function serving(hosts: readonly string[], token = testToken): { app: Hono; access: Access } {
  const access = createAccess(token, hosts)
  access.port = 4477
  const app = new Hono()
  app.use(guard(access))
  app.all('*', context => context.text('in'))
  return { app, access }
}

const statusOf = async (app: Hono, headers: Record<string, string>, path = '/api/x', method = 'GET') =>
  (await app.request(path, { method, headers })).status

describe('--allow-host', () => {
  const bearer = { authorization: `Bearer ${testToken}` }

  test('allows only the named hosts, with any port unless one is named, in any case', async () => {
    const { app } = serving(['tools.example.com', 'box:8443'])
    const cases: [string, number][] = [
      ['tools.example.com', 200],
      ['Tools.Example.com:443', 200],
      ['127.0.0.1:4477', 200],
      ['box:8443', 200],
      ['box', 403],
      ['box:1', 403],
      ['127.0.0.1:4478', 403],
      ['evil.example.com', 403],
      ['tools.example.com.evil.net', 403],
      ['eviltools.example.com', 403],
    ]
    for (const [host, status] of cases)
      expect([host, await statusOf(app, { ...bearer, host })]).toEqual([host, status])
  })

  test('allows an Origin by the same names', async () => {
    const { app } = serving(['tools.example.com'])
    const cases: [string, number][] = [
      ['https://tools.example.com', 200],
      ['http://tools.example.com', 200],
      ['http://127.0.0.1:4477', 200],
      ['https://tools.example.com.evil.net', 403],
      ['https://evil.net/tools.example.com', 403],
      ['https://tools.example.com@evil.net', 403],
      ['null', 403],
      ['https://127.0.0.1:4477', 403],
    ]
    for (const [origin, status] of cases)
      expect([
        origin,
        await statusOf(app, { ...bearer, host: 'tools.example.com', origin }, '/api/x', 'POST'),
      ]).toEqual([origin, status])
  })

  test('when not given allows only the names of this machine', async () => {
    const { app } = serving([])
    expect(await statusOf(app, { ...bearer, host: 'tools.example.com' })).toBe(403)
    expect(await statusOf(app, { ...bearer, host: 'localhost:4477' })).toBe(200)
  })

  test('over plain HTTP allows the cookie without Sec-Fetch-Site at a named host only', async () => {
    const { app, access } = serving(['box'])
    const cookie = `${access.cookieName}=${access.sessionSecret}`
    expect(await statusOf(app, { host: 'box:4477', cookie })).toBe(200)
    expect(await statusOf(app, { host: 'box:4477', cookie, 'sec-fetch-site': 'same-site' })).toBe(401)
    expect(await statusOf(app, { host: 'localhost:4477', cookie })).toBe(401)
    // What changes something needs the page's own Origin.
    expect(await statusOf(app, { host: 'box:4477', cookie }, '/api/x', 'POST')).toBe(403)
    expect(
      await statusOf(app, { host: 'box:4477', cookie, origin: 'http://box:4477' }, '/api/x', 'POST'),
    ).toBe(200)
  })
})

describe('shared token', () => {
  test('gives every replica the same cookie, which does not contain it; another token gives another cookie', async () => {
    const [one, two, other] = [serving(['box']), serving(['box']), serving(['box'], `${testToken}!`)]
    expect(two.access).toEqual(one.access)
    expect(one.access.sessionSecret).not.toContain(testToken)
    expect(other.access.sessionSecret).not.toBe(one.access.sessionSecret)
    expect(other.access.cookieName).not.toBe(one.access.cookieName)
    const cookie = `${one.access.cookieName}=${one.access.sessionSecret}`
    expect(await statusOf(two.app, { host: 'box', cookie })).toBe(200)
    expect(await statusOf(other.app, { host: 'box', cookie })).toBe(401)
  })

  test('is random when none is given', () => {
    expect(createAccess().token).not.toBe(createAccess().token)
    expect(createAccess().sessionSecret).not.toBe(createAccess().sessionSecret)
  })

  test('sets a Secure cookie only when a proxy reports TLS', async () => {
    const { app } = serving(['tools.example.com'])
    const enter = (headers: Record<string, string>) =>
      app.request(`/?token=${testToken}&x=1`, { headers: { host: 'tools.example.com', ...headers } })
    const secure = await enter({ 'x-forwarded-proto': 'https' })
    expect(secure.status).toBe(302)
    expect(secure.headers.get('location')).toBe('/?x=1')
    expect(secure.headers.get('set-cookie')).toMatch(/HttpOnly; Secure; SameSite=Strict/)
    expect((await enter({})).headers.get('set-cookie')).not.toContain('Secure')
  })
})

describe('code that opens the browser', () => {
  const host = { host: '127.0.0.1:4477' }
  const enter = (app: Hono, path: string) => app.request(path, { headers: host })

  test('is exchanged for the cookie once, and is removed from the address', async () => {
    const { app, access } = serving([])
    const code = access.codes.create(true)
    const answer = await enter(app, `/tools?q=a&code=${code}`)
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/tools?q=a'])
    expect(answer.headers.get('set-cookie')).toContain(access.sessionSecret)
    expect((await enter(app, `/?code=${code}`)).status).toBe(401)
  })

  test('expires after a minute, differs from the token, and is refused by the API', async () => {
    const { app, access } = serving([])
    const codes = [access.codes.create(true), access.codes.create(true, Date.now() - 61_000)]
    expect(codes).not.toContain(access.token)
    expect((await enter(app, `/api/x?code=${codes[0]}`)).status).toBe(401)
    expect((await enter(app, `/?code=${codes[1]}`)).status).toBe(401)
    expect((await enter(app, '/?code=wrong')).status).toBe(401)
    expect((await enter(app, `/?code=${codes[0]}`)).status).toBe(302)
  })

  test('redirects when it is used again by a browser that has the cookie', async () => {
    const { app, access } = serving([])
    const cookie = `${access.cookieName}=${access.sessionSecret}`
    const answer = await app.request('/?code=used', {
      headers: { ...host, cookie, 'sec-fetch-site': 'none' },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([302, '/'])
  })
})

test.each(['//evil.example/', '/\\evil.example/', '///evil.example'])(
  'guard: never redirects %s to another host',
  async path => {
    const { app, access } = serving([])
    const answer = await app.request(new Request(`http://127.0.0.1:4477${path}?token=${access.token}`), {
      headers: { host: '127.0.0.1:4477' },
    })
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      expect.stringMatching(/^\/(?![/\\])/),
    ])
  },
)

test('guard: accepts the callback of a sign-in without the cookie once, and nothing else', async () => {
  const pending = new OneTimeCodes<true>(60_000)
  const [state, late] = [pending.create(true), pending.create(true, Date.now() - 61_000)]
  const access = createAccess(testToken, [], code => pending.has(code))
  access.port = 4477
  const app = new Hono().use(guard(access))
  app.get('/sign-in/callback', context => context.text(String(pending.use(context.req.query('state') ?? ''))))
  app.all('*', context => context.text('in'))
  const host = '127.0.0.1:4477'
  const back = (code: string) => `/sign-in/callback?code=abc&state=${code}`
  expect(await statusOf(app, { host: 'evil.example' }, back(state))).toBe(403)
  expect(await statusOf(app, { host, origin: 'https://evil.example' }, back(state))).toBe(403)
  for (const path of [
    `/?state=${state}`,
    `/api/sources?state=${state}`,
    `/sign-in/callback/x?state=${state}`,
  ])
    expect([path, await statusOf(app, { host }, path)]).toEqual([path, 401])
  expect(await statusOf(app, { host }, back(state), 'POST')).toBe(401)
  expect(await statusOf(app, { host }, back(late))).toBe(401)
  expect(await statusOf(app, { host, 'sec-fetch-site': 'cross-site' }, back(state))).toBe(200)
  expect(await statusOf(app, { host }, back(state))).toBe(401)
})

describe('wrong tokens', () => {
  test('of 10,000 guesses none is served; the address is slowed down, and a right token still served', async () => {
    const { app } = serving([])
    const host = '127.0.0.1:4477'
    const counts: Record<number, number> = {}
    for (let guess = 0; guess < 10_000; guess += 1) {
      const status = await statusOf(app, { host, authorization: `Bearer tsp_guess-${guess}` })
      counts[status] = (counts[status] ?? 0) + 1
    }
    expect(counts).toEqual({ 401: 100, 429: 9_900 })
    expect(await statusOf(app, { host, authorization: `Bearer ${testToken}` })).toBe(200)
    const refused = await app.request('/api/x', { headers: { host, authorization: 'Bearer wrong' } })
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    // A request without a token is not a guess.
    expect(await statusOf(app, { host })).toBe(401)
  })
})

describe('a proxy that signs people in', () => {
  const secret = 'secret-of-the-proxy-0123456789'
  const input = { userHeader: 'X-User', proxySecret: secret, proxySecretHeader: 'X-Secret' }
  const context = { directory: '/', environment: {}, say: () => {} }

  test('gives users that are not in the list the default rights, if there are any', async () => {
    const database = await sqlite.create()
    const store = await database.open()
    const proxy = await readProxyPeople({ ...input, userRights: 'call' }, context)
    const people = await openPeople(store, () => {}, proxy)
    const access = createAccess(testToken)
    access.port = 4477
    const app = new Hono()
    app.use(withGate({ mode: { readOnly: false, fixedSources: false }, people }))
    app.use(guard(access))
    app.get('*', request => request.json(request.get('person') ?? 'operator'))
    const ask = async (headers: Record<string, string>) => {
      const answer = await app.request('/api/x', { headers: { host: '127.0.0.1:4477', ...headers } })
      return answer.status === 200 ? answer.json() : answer.status
    }
    const zoe = { 'x-user': 'zoe@example.com' }
    expect(await ask({ ...zoe, 'x-secret': secret })).toEqual({
      name: 'zoe@example.com',
      rights: ['read', 'call'],
    })
    expect(await ask(zoe)).toBe(401)
    expect(await ask({ 'x-user': '', 'x-secret': secret })).toBe(403)
    expect(await ask({ 'x-secret': secret })).toBe(401)
    expect(await ask({ 'x-secret': secret, authorization: `Bearer ${testToken}` })).toBe('operator')
    await people.close()
    await database.remove()
  })

  test('needs a header and a secret that cannot be guessed, and known rights', async () => {
    const read = (more: object) => readProxyPeople({ ...input, ...more }, context)
    expect(await read({ proxySecret: undefined })).toBeUndefined()
    for (const wrong of [
      { proxySecret: 'short' },
      { userHeader: undefined },
      { userRights: 'read,admin' },
      { proxySecret: undefined, userRights: 'read' },
    ])
      await expect(read(wrong)).rejects.toMatchObject({ code: 'usage' })
  })
})
