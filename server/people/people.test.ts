/** The rights of people, in the built program: what a person may do, and attempts to pass its rights. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { contract } from '../../core/api/contract.ts'
import { type Running, startToolscope } from '../../scripts/toolscope-program.ts'
import { runCommandLine } from '../commands/testkit.ts'
import { endpointReaches } from '../http/gate.ts'
import { openStore } from '../store/open-store.ts'
import { addPerson } from '../store/stored-people.ts'
import { type Answer, type Sent, sendTo, startProgram, stopPrograms, writeSources } from './people.testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-people-'))
const data = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
const proxySecret = 'secret-of-the-proxy-0123456789'
const token = 'token-of-the-server-0123456789'
const tokens: Record<string, string> = {}
let server: Running
let bridge = ''
let mcp = ''
/** Ids of a call of `vault` and of one of `acme` by another person. */
let [secretCall, otherCall] = ['', '']
let recording = ''

const people = async (...args: readonly string[]) => {
  const run = await runCommandLine(['people', ...args], { environment: data })
  expect([run.code, run.stderr]).toEqual([0, expect.anything()])
  return run.stdout.trim()
}

const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 20 })

const send = (path: string, sent: Sent = {}, origin = server.origin) => sendTo(origin, path, sent)

const as = (name: string, path: string, sent: Sent = {}) =>
  send(path, { bearer: tokens[name] ?? '', ...sent })

const callOf = (ref: string) => ({ body: { ref, input: { message: 'hello' } } })

async function idOfCall(name: string, ref: string): Promise<string> {
  const { text } = await send('/api/invocations', { bearer: tokens[name] ?? token, ...callOf(ref) })
  const { id } = JSON.parse(text.split('\n')[0] ?? '') as { id: string }
  await waitFor(async () => expect((await send(`/api/history/${id}`, { bearer: token })).status).toBe(200))
  return id
}

beforeAll(async () => {
  writeSources(folder)
  writeFileSync(join(folder, 'proxy-secret'), proxySecret)
  const add = async (name: string, ...args: readonly string[]) => {
    tokens[name] = await people('add', name, ...args)
  }
  await add('ada', '--rights', 'read,call,write', '--sources', 'acme')
  await add('bob', '--rights', 'read')
  await add('eve', '--rights', 'read,call')
  await add('mallory', '--rights', 'read,call,write,sources')
  await add('quick', '--rights', 'call', '--calls-a-minute', '2')
  await people('revoke', 'mallory')
  tokens.rotated = tokens.eve ?? ''
  tokens.eve = await people('rotate', 'eve')
  const store = await openStore({ environment: data, say: () => {} })
  tokens.expired = await addPerson(store, { name: 'late', rights: ['read'], expiresAt: Date.now() - 1 })
  await store.close()
  const proxy = ['--user-header', 'X-Forwarded-User', '--proxy-secret-file', 'proxy-secret']
  const environment = { ...data, TOOLSCOPE_TOKEN: token }
  ;[server, bridge, mcp] = await Promise.all([
    startToolscope(['--trust', ...proxy], folder, environment),
    startProgram(folder, environment, 'bridge', 'mcp.json', '--port', '0', '--people'),
    startProgram(folder, environment, 'mcp', 'mcp.json', '--http'),
  ])
  secretCall = await idOfCall('operator', 'vault/echo')
  otherCall = await idOfCall('eve', 'acme/echo')
  const recorded = await send('/api/recordings', {
    bearer: token,
    body: { sources: ['vault'], withPast: true },
  })
  recording = (JSON.parse(recorded.text) as { id: string }).id
})

afterAll(async () => {
  await server?.stop()
  await stopPrograms()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

describe('gate', () => {
  it('has a decision for each endpoint of the contract', () => {
    expect(Object.keys(endpointReaches).sort()).toEqual(Object.keys(contract).sort())
  })

  it('leaves a limited person nothing of other sources in any answer to a GET request', async () => {
    const queries: Record<string, string> = {
      'GET /api/diff': '?a=acme&b=acme',
      'GET /api/examples': '?ref=acme/echo',
    }
    const names: Record<string, string> = { ref: 'acme%2Fecho', name: 'acme', id: otherCall, seq: '1' }
    for (const [key, endpoint] of Object.entries(contract)) {
      const [method = '', path = ''] = key.split(' ')
      if (method !== 'GET' || ('format' in endpoint && endpoint.format === 'events')) continue
      const filled = path.replace(/\{\+?(\w+)\}/g, (_, name: string) => names[name] ?? 'x')
      const { text } = await as('ada', `${filled}${queries[key] ?? ''}`)
      // The page's own sample sources and the location of the store name no source.
      expect([key, text.includes('vault')]).toEqual([key, false])
    }
  })

  it('lets a person do what its rights allow, and says who it is', async () => {
    const { text } = await as('ada', '/api/rights')
    expect(JSON.parse(text)).toMatchObject({
      person: { name: 'ada', rights: ['read', 'call', 'write'], sources: ['acme'] },
    })
    const { sources } = JSON.parse((await as('ada', '/api/sources')).text) as { sources: { name: string }[] }
    expect(sources.map(({ name }) => name)).toEqual(['acme'])
    const called = await as('ada', '/api/invocations', callOf('acme/echo'))
    expect([called.status, called.text]).toEqual([200, expect.stringContaining('"type":"result"')])
    const readHistory = async () => {
      const { text } = await as('ada', '/api/history?person=ada')
      return (JSON.parse(text) as { invocations: { ref: string; person: string }[] }).invocations
    }
    await waitFor(async () =>
      expect(await readHistory()).toMatchObject([{ ref: 'acme/echo', person: 'ada' }]),
    )
    expect((await as('bob', '/api/tools/vault%2Fecho')).status).toBe(200)
  })
})

const proxied = (headers: Record<string, string>, path = '/api/sources', sent: Sent = {}) =>
  send(path, { ...sent, headers: { 'x-forwarded-user': 'ada', ...headers } })

const rpc = (
  method: string,
  params: object,
  headers: Record<string, string> = {},
  bearer = tokens.ada ?? '',
) =>
  send(
    '',
    {
      bearer,
      body: { jsonrpc: '2.0', id: 1, method, params },
      headers: { accept: 'application/json, text/event-stream', ...headers },
    },
    mcp,
  )

const atBridge = (name: string, path: string, body?: object) =>
  send(path, { bearer: tokens[name], headers: { accept: 'application/json' }, ...(body && { body }) }, bridge)

const initialize = (bearer?: string) =>
  rpc(
    'initialize',
    { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
    {},
    bearer,
  )

/** The attempt, the person, the request, the status, and the body. */
type Attempt = readonly [what: string, name: string, request: string, status: number, body?: object]

const vaultTool = { ref: 'vault/echo' }
const attempts = (): readonly Attempt[] => [
  ['a call of another source', 'ada', 'POST /api/invocations', 404, callOf('vault/echo').body],
  ['a tool of another source', 'ada', 'GET /api/tools/vault%2Fecho', 404],
  ['an unencoded tool of another source', 'ada', 'GET /api/tools/vault/echo', 404],
  ['versions of a tool of another source', 'ada', 'GET /api/tools/vault%2Fecho/versions', 404],
  ['examples of another source', 'ada', 'GET /api/examples?ref=vault/echo', 404],
  ['a new example of another source', 'ada', 'PUT /api/examples', 404, { ...vaultTool, text: '{}' }],
  ['a validation for another source', 'ada', 'POST /api/validate', 404, { ...vaultTool, inputText: '{}' }],
  ['an app of another source', 'ada', 'POST /api/apps/resources', 404, { ...vaultTool, uri: 'ui://x' }],
  ['the messages of another source', 'ada', 'GET /api/sources/vault/wire', 400],
  ['a message to another source', 'ada', 'POST /api/sources/vault/wire/send', 400, { text: '{}' }],
  ['a deletion of messages of another source', 'ada', 'DELETE /api/sources/vault/wire', 400],
  ['the log of another source', 'ada', 'GET /api/sources/vault/log', 400],
  ['a new reading of another source', 'ada', 'POST /api/sources/vault/refresh', 400],
  ['a comparison with another source', 'ada', 'GET /api/diff?a=acme&b=vault', 404],
  ['a comparison with a version of another source', 'ada', 'GET /api/diff?a=vault@1&b=acme', 404],
  ['a comparison with a file', 'bob', 'GET /api/diff?a=proxy-secret&b=acme', 404],
  ['results of another source', 'ada', 'POST /api/compare', 400, { a: 'acme', b: 'vault' }],
  ['a label of another source', 'ada', 'PUT /api/sources/vault/versions/1/labels/mine', 404],
  ['a call in history of another source', 'ada', `GET /api/history/${secretCall}`, 404],
  ['a pin for such a call', 'ada', `PATCH /api/history/${secretCall}`, 404, { pinned: true }],
  ['a deletion of such a call', 'ada', `DELETE /api/history/${secretCall}`, 404],
  ['a recording of another source', 'ada', `GET /api/recordings/${recording}/file`, 404],
  ['a deletion of such a recording', 'ada', `DELETE /api/recordings/${recording}`, 404],
  [
    'a recording of two sources',
    'ada',
    'POST /api/recordings',
    400,
    { sources: ['acme', 'vault'], withPast: true },
  ],
  ['a new source', 'ada', 'POST /api/sources', 403, { input: 'cat proxy-secret' }],
  ['a pasted manifest', 'ada', 'POST /api/manifests', 403, { name: 'm', text: '{"tools":[]}' }],
  ['a stop of its own source', 'ada', 'POST /api/sources/acme/stop', 403],
  ['trust in the configuration', 'ada', 'DELETE /api/trust', 403],
  ['a script of the project', 'ada', 'PUT /api/scripts/x', 403, { text: 'x' }],
  ['the audit log', 'eve', 'GET /api/audit', 403],
  ['a call without the right', 'bob', 'POST /api/invocations', 403, callOf('acme/echo').body],
  ['a deletion without the right', 'eve', `DELETE /api/history/${otherCall}`, 403],
  ['a source without the right', 'eve', 'POST /api/sources', 403, { input: 'cat proxy-secret' }],
  ['a revoked token', 'mallory', 'GET /api/sources', 401],
  ['a revoked token in a link', 'none', `GET /?token=${tokens.mallory}`, 401],
  ['a rotated token', 'rotated', 'GET /api/sources', 401],
  ['an expired token', 'expired', 'GET /api/sources', 401],
]

const withSecret = { 'x-proxy-secret': proxySecret }
const call = callOf('acme/echo')

/** Attempts with headers of their own, or at the bridge and at mcp --http. */
const otherAttempts: readonly (readonly [string, () => Promise<Answer>, number])[] = [
  ['the user header without the secret', () => proxied({}), 401],
  ['the user header with a wrong secret', () => proxied({ 'x-proxy-secret': `${proxySecret}!` }), 401],
  [
    'the header of another user next to a token',
    () => proxied({}, '/api/sources', { bearer: tokens.eve }),
    401,
  ],
  ['a user that is not in the list', () => proxied({ ...withSecret, 'x-forwarded-user': 'zoe' }), 403],
  ['a revoked user', () => proxied({ ...withSecret, 'x-forwarded-user': 'mallory' }), 403],
  ['two users in one header', () => proxied({ ...withSecret, 'x-forwarded-user': 'ada, eve' }), 403],
  ['a request of another site', () => proxied({ ...withSecret, 'sec-fetch-site': 'cross-site' }), 401],
  ['a change without an origin', () => proxied(withSecret, '/api/invocations', call), 403],
  ['a tool of another source at the bridge', () => atBridge('ada', '/tools/vault_echo', {}), 404],
  ['a call at the bridge without the right', () => atBridge('bob', '/tools/acme_echo', {}), 403],
  ['a revoked token at the bridge', () => atBridge('mallory', '/tools'), 401],
  ['an expired token at mcp --http', () => initialize(tokens.expired), 401],
  ['a revoked token at mcp --http', () => initialize(tokens.mallory), 401],
]

describe('attempts to pass the rights of a person', () => {
  it('are refused: other sources, other rights, other tokens', async () => {
    const answers = await Promise.all(
      attempts().map(async ([what, name, request, , body]) => {
        const [method = '', path = ''] = request.split(' ')
        const { status, text } = await as(name, path, { method, ...(body && { body }) })
        return [what, status, text.includes('"type":"result"')]
      }),
    )
    expect(answers).toEqual(attempts().map(([what, , , status]) => [what, status, false]))
  })

  it('are refused: what a proxy did not sign in, the bridge, and mcp --http', async () => {
    const answers = await Promise.all(
      otherAttempts.map(async ([what, attempt]) => [what, (await attempt()).status]),
    )
    expect(answers).toEqual(otherAttempts.map(([what, , status]) => [what, status]))
  })

  it('cannot use the MCP session of another person, nor the tools of another source', async () => {
    const opened = await initialize(tokens.eve)
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    expect((await rpc('tools/list', {}, session, tokens.eve)).text).toContain('vault_echo')
    expect((await rpc('tools/list', {}, session)).status).toBe(404)
    const own = { 'mcp-session-id': (await initialize()).headers.get('mcp-session-id') ?? '' }
    expect((await rpc('tools/list', {}, own)).text).not.toContain('vault_echo')
    const called = await rpc('tools/call', { name: 'vault_echo', arguments: { message: 'x' } }, own)
    expect(called.text).toContain('Unknown tool')
    const reader = { 'mcp-session-id': (await initialize(tokens.bob)).headers.get('mcp-session-id') ?? '' }
    const refused = await rpc('tools/call', { name: 'acme_echo', arguments: {} }, reader, tokens.bob)
    expect(refused.text).toContain('bob has no right')
  })

  it('cannot cancel the call of another person', async () => {
    const body = { ref: 'acme/hang', input: {} }
    const headers = { authorization: `Bearer ${tokens.eve}`, 'content-type': 'application/json' }
    const abort = new AbortController()
    const init = { method: 'POST', headers, body: JSON.stringify(body), signal: abort.signal }
    const reader = (await fetch(`${server.origin}/api/invocations`, init)).body?.getReader()
    const first = Buffer.from((await reader?.read())?.value ?? []).toString('utf8')
    const { id } = JSON.parse(first.split('\n')[0] ?? '') as { id: string }
    const cancel = (name: string) => as(name, `/api/invocations/${id}/cancel`, { body: {} })
    expect(JSON.parse((await cancel('ada')).text)).toEqual({ cancelled: false })
    expect(JSON.parse((await cancel('eve')).text)).toEqual({ cancelled: true })
    abort.abort()
  })

  it('cannot make more calls than the limit, and learns when to try again', async () => {
    const statuses = []
    for (let count = 0; count < 3; count += 1) {
      const { status, headers } = await as('quick', '/api/invocations', callOf('acme/echo'))
      statuses.push([status, Number(headers.get('retry-after')) > 0])
    }
    expect(statuses).toEqual([
      [200, false],
      [200, false],
      [429, true],
    ])
  })

  it('leaves a proxy with the secret to sign people in', async () => {
    const headers = { 'x-proxy-secret': proxySecret, origin: server.origin }
    const rights = await proxied(headers, '/api/rights')
    expect(JSON.parse(rights.text)).toMatchObject({ person: { name: 'ada', sources: ['acme'] } })
    expect((await proxied(headers, '/api/invocations', callOf('acme/echo'))).status).toBe(200)
    expect((await proxied(headers, '/api/invocations', callOf('vault/echo'))).status).toBe(404)
  })

  it('end with the token: its open streams and its cookie', async () => {
    const entered = await send(`/?token=${tokens.bob}`)
    const cookie = String(entered.headers.get('set-cookie')).split(';')[0] ?? ''
    const page = { headers: { cookie, 'sec-fetch-site': 'same-origin' } }
    expect(JSON.parse((await send('/api/rights', page)).text)).toMatchObject({ person: { name: 'bob' } })
    const streams = await Promise.all(
      [{ authorization: `Bearer ${tokens.bob}` }, page.headers].map(headers =>
        fetch(`${server.origin}/api/events`, { headers }),
      ),
    )
    const endings = streams.map(stream => stream.text().catch(() => 'ended'))
    await people('revoke', 'bob')
    await Promise.all(endings)
    expect((await send('/api/rights', page)).status).toBe(401)
    expect((await as('bob', '/api/rights')).status).toBe(401)
  })

  it('end with the token: a call that runs at the bridge', async () => {
    const running = await fetch(`${bridge}/tools/acme_slow`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tokens.eve}`, accept: 'application/x-ndjson' },
      body: '{"steps":1000000}',
    })
    const ending = running.text().catch(() => 'ended')
    await people('revoke', 'eve')
    expect(await ending).toBe('ended')
    expect((await atBridge('eve', '/tools')).status).toBe(401)
    const read = async () => (await send('/api/history?person=eve', { bearer: token })).text
    await waitFor(async () => expect(await read()).toContain('"origin":"bridge"'))
  })

  it('are in the audit log, with sign-ins and changes', async () => {
    const { entries } = JSON.parse((await send('/api/audit?limit=1000', { bearer: token })).text) as {
      entries: { person?: string; outcome: string; request: string; target?: string; address?: string }[]
    }
    expect(entries).toContainEqual(
      expect.objectContaining({
        person: 'ada',
        outcome: 'refused',
        request: 'POST /api/manifests',
        target: 'm',
      }),
    )
    expect(entries).toContainEqual(
      expect.objectContaining({ person: 'bob', right: 'sign-in', request: 'page' }),
    )
    expect(entries).toContainEqual(expect.objectContaining({ request: 'people revoke', target: 'bob' }))
    const refusals: [person: string | undefined, request: string, target: string][] = [
      ['bob', 'POST /api/invocations', 'acme/echo'],
      ['ada', 'POST /api/invocations', 'vault/echo'],
      ['quick', 'POST /api/invocations', 'acme/echo'],
      ['bob', 'bridge: call', 'acme/echo'],
      ['ada', 'bridge: call', 'vault_echo'],
      ['bob', 'mcp --http: call', 'acme/echo'],
      ['ada', 'mcp --http: call', 'vault_echo'],
      [undefined, 'mcp --http: POST', '/mcp'],
    ]
    await waitFor(async () => {
      const { text } = await send('/api/audit?limit=1000', { bearer: token })
      const refused = (JSON.parse(text) as { entries: typeof entries }).entries.flatMap(
        ({ outcome, person, request, target, address }) =>
          outcome === 'refused' && address === '127.0.0.1' ? [JSON.stringify([person, request, target])] : [],
      )
      expect(refusals.map(each => JSON.stringify(each)).filter(each => !refused.includes(each))).toEqual([])
    })
  })

  it('are not needed for events: those of other sources are left out', async () => {
    const headers = { authorization: `Bearer ${tokens.ada}` }
    const abort = new AbortController()
    const stream = await fetch(`${server.origin}/api/events`, { headers, signal: abort.signal })
    let events = ''
    const reading = (async () => {
      for await (const chunk of stream.body ?? []) events += Buffer.from(chunk).toString('utf8')
    })().catch(() => {})
    const refresh = (name: string) => send(`/api/sources/${name}/refresh`, { bearer: token, body: {} })
    await refresh('vault')
    await idOfCall('operator', 'vault/echo')
    await refresh('acme')
    await idOfCall('operator', 'acme/echo')
    await waitFor(async () => {
      expect(events).toContain('"source":"acme"')
      expect(events).toContain('"ref":"acme/echo"')
    })
    expect(events).not.toContain('vault')
    abort.abort()
    await reading
  })

  it('cannot tell a source of others from one that is missing', async () => {
    for (const path of ['/api/sources/NAME/wire', '/api/tools/NAME%2Fecho', '/api/diff?a=NAME&b=acme']) {
      const [there, missing] = await Promise.all(
        ['vault', 'nothing'].map(name => as('ada', path.replace('NAME', name))),
      )
      expect([there?.status, there?.text.replaceAll('vault', 'nothing')]).toEqual([
        missing?.status,
        missing?.text,
      ])
    }
  })
})
