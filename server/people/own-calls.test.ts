/** The calls of people in the built program: others cannot end or answer them, and they end with the token. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type Running, startToolscope } from '../../scripts/toolscope-program.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import { addPerson, revokePerson } from '../store/stored-people.ts'
import { type Sent, sendTo, startProgram, stopPrograms } from './people.testkit.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-own-calls-'))
const data = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
const proxySecret = 'secret-of-the-proxy-0123456789'
const token = 'token-of-the-server-0123456789'
const tokens: Record<string, string> = {}
let store: Store
let server: Running
let mcp = ''

const as = (name: string, path: string, sent: Sent = {}) =>
  sendTo(server.origin, path, { bearer: tokens[name] ?? token, ...sent })

const waitFor = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 30_000, interval: 50 })

const slowCall = { ref: 'acme/slow', input: { steps: 1_000_000 } }

beforeAll(async () => {
  const command = (file: string, ...args: readonly string[]) => [
    process.execPath,
    resolveInRepository(`server/sources/fixtures/${file}`),
    ...args,
  ]
  const sources = {
    acme: { mcp: { command: command('mcp-quirks-old.mjs') } },
    other: { mcp: { command: command('mcp-quirks-old.mjs') } },
    tasks: { mcp: { command: command('mcp-tasks.mjs', 'legacy') } },
  }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  writeFileSync(join(folder, 'proxy-secret'), proxySecret)
  store = await openStore({ environment: data, say: () => {} })
  const rights = ['read', 'call', 'write'] as const
  for (const name of ['ada', 'eve', 'mallory', 'josé', 'slow'])
    tokens[name] = await addPerson(store, { name, rights })
  tokens.admin = await addPerson(store, { name: 'admin', rights: [...rights, 'sources'] })
  tokens.single = await addPerson(store, { name: 'single', rights, callsAtATime: 1 })
  tokens.two = await addPerson(store, { name: 'two', rights, callsAtATime: 2 })
  tokens.often = await addPerson(store, { name: 'often', rights, callsAMinute: 2 })
  tokens.quick = await addPerson(store, { name: 'quick', rights, callsAMinute: 2 })
  const environment = { ...data, TOOLSCOPE_TOKEN: token }
  const proxy = ['--user-header', 'X-Forwarded-User', '--proxy-secret-file', 'proxy-secret']
  ;[server, mcp] = await Promise.all([
    startToolscope(['--trust', ...proxy], folder, environment),
    startProgram(folder, environment, 'mcp', '--trust', '--http'),
  ])
})

afterAll(async () => {
  await server?.stop()
  await stopPrograms()
  await store?.close()
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 })
})

const sendMessage = (name: string, source: string, message: object) =>
  as(name, `/api/sources/${source}/wire/send`, {
    body: { text: JSON.stringify({ jsonrpc: '2.0', ...message }) },
  })

describe('messages that a person writes to a server', () => {
  it('cannot end or answer the calls of others', async () => {
    const cancelled = { method: 'notifications/cancelled', params: { requestId: 1 } }
    const task = { id: 1, method: 'tasks/cancel', params: { taskId: 'task-gate-1' } }
    for (const message of [cancelled, { id: 1, ...cancelled }, task])
      expect((await sendMessage('eve', 'tasks', message)).status).toBe(403)
    expect((await sendMessage('eve', 'tasks', { result: {}, id: 1 })).status).toBe(400)
    expect((await sendMessage('operator', 'tasks', cancelled)).status).toBe(200)
  })

  it('change the session that all share only with the right "sources"', async () => {
    const methods = {
      initialize: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 't', version: '1' },
      },
      'logging/setLevel': { level: 'emergency' },
      'resources/subscribe': { uri: 'x:y' },
      'resources/unsubscribe': { uri: 'x:y' },
      'subscriptions/listen': { notifications: {} },
      'acme/changeAll': {},
      'tools/list ': {},
    }
    for (const [method, params] of Object.entries(methods)) {
      const { status, text } = await sendMessage('eve', 'acme', { id: 1, method, params })
      expect([method, status, text]).toEqual([
        method,
        403,
        expect.stringContaining('has no right \\"sources\\"'),
      ])
    }
    const answered = { name: 'echo', arguments: {}, inputResponses: {}, requestState: 'of a call of ada' }
    for (const name of ['eve', 'admin'])
      expect(
        (await sendMessage(name, 'acme', { id: 1, method: 'tools/call', params: answered })).status,
      ).toBe(403)
    const setLevel = { id: 1, method: 'logging/setLevel', params: { level: 'debug' } }
    for (const name of ['admin', 'operator'])
      expect((await sendMessage(name, 'acme', setLevel)).status).toBe(200)
    for (const method of ['ping', 'tools/list', 'resources/list', 'prompts/list'])
      expect((await sendMessage('eve', 'acme', { id: 1, method })).status).toBe(200)
  })

  it('count as calls, and are in the audit log', async () => {
    const call = { id: 1, method: 'tools/call', params: { name: 'echo', arguments: { message: 'x' } } }
    const statuses = []
    for (let count = 0; count < 3; count += 1)
      statuses.push((await sendMessage('quick', 'acme', call)).status)
    expect(statuses).toEqual([200, 200, 429])
    expect((await as('quick', '/api/audit')).status).toBe(403)
    await waitFor(async () => {
      const { text } = await as('operator', '/api/audit?person=quick')
      const { entries } = JSON.parse(text) as { entries: { request: string; outcome: string }[] }
      expect(entries).toContainEqual(
        expect.objectContaining({ request: 'POST /api/sources/{name}/wire/send', outcome: 'accepted' }),
      )
      expect(entries).toContainEqual(
        expect.objectContaining({ request: 'GET /api/audit', outcome: 'refused' }),
      )
    })
  })

  it('count as calls at a time until they are answered', async () => {
    const hang = { method: 'tools/call', params: { name: 'hang', arguments: {} } }
    const statuses = []
    for (let id = 1; id < 4; id += 1)
      statuses.push((await sendMessage('two', 'other', { id, ...hang })).status)
    expect(statuses).toEqual([200, 200, 429])
    const echo = { method: 'tools/call', params: { name: 'echo', arguments: { message: 'x' } } }
    for (let id = 1; id < 5; id += 1)
      await waitFor(async () =>
        expect((await sendMessage('single', 'acme', { id, ...echo })).status).toBe(200),
      )
  })
})

describe('limits of calls', () => {
  it('count what starts a program or asks a server without a call', async () => {
    const refresh = async () => (await as('often', '/api/sources/acme/refresh', { body: {} })).status
    expect([await refresh(), await refresh(), await refresh()]).toEqual([200, 200, 429])
  })
})

describe('tasks', () => {
  it('are continued only by the person whose call made them', async () => {
    const made = await as('ada', '/api/invocations', {
      body: { ref: 'tasks/asks', input: {}, options: { asTask: true, timeoutMs: 1_000 } },
    })
    const taskId = /"taskId":"([^"]+)"/.exec(made.text)?.[1] ?? ''
    expect(taskId).not.toBe('')
    const follow = (name: string) =>
      as(name, '/api/invocations', {
        body: { ref: 'tasks/asks', input: {}, options: { taskId, timeoutMs: 1_000 } },
      })
    await waitFor(async () => expect((await follow('ada')).status).toBe(200))
    expect((await follow('eve')).status).toBe(404)
  })
})

describe('calls and answers that run when a token is revoked', () => {
  it('end: an example, a wait for messages, and a call of a session at mcp --http', async () => {
    const text = JSON.stringify({ name: 'slow', input: slowCall.input })
    await as('ada', '/api/examples', { method: 'PUT', body: { ref: 'acme/slow', text } })
    const rpc = (method: string, params: object, session: Record<string, string> = {}) =>
      sendTo(mcp, '', {
        bearer: tokens.mallory,
        body: { jsonrpc: '2.0', id: 1, method, params },
        headers: { accept: 'application/json, text/event-stream', ...session },
      })
    const client = { capabilities: {}, clientInfo: { name: 't', version: '1' } }
    const opened = await rpc('initialize', { protocolVersion: '2025-11-25', ...client })
    const session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' }
    const { lastSeq } = JSON.parse((await as('ada', '/api/sources/tasks/wire?limit=1')).text) as {
      lastSeq: number
    }
    const answers = [
      as('mallory', '/api/examples/run', { body: { ref: 'acme/slow', name: 'slow' } }),
      as('mallory', `/api/sources/tasks/wire?after=${lastSeq}&wait=true`),
      rpc('tools/call', { name: 'acme_slow', arguments: slowCall.input }, session),
    ].map(answer => answer.catch(() => 'ended'))
    const outcomes = async () => {
      const { text: list } = await as('operator', '/api/history?person=mallory')
      return (JSON.parse(list) as { invocations: { outcome: string }[] }).invocations.map(
        call => call.outcome,
      )
    }
    await waitFor(async () => expect(await outcomes()).toEqual(['unfinished', 'unfinished']))
    await revokePerson(store, 'mallory')
    expect(await Promise.all(answers)).toEqual(['ended', 'ended', 'ended'])
    await waitFor(async () => expect(await outcomes()).toEqual(['cancelled', 'cancelled']))
  })
})

it('page: is refused after another person signed in with the same browser', async () => {
  const enter = async (name: string) => {
    const { headers } = await sendTo(server.origin, `/?token=${tokens[name]}`, {})
    return { cookie: String(headers.get('set-cookie')).split(';')[0] ?? '', 'sec-fetch-site': 'same-origin' }
  }
  const read = (headers: Record<string, string>) => sendTo(server.origin, '/api/rights', { headers })
  const ada = await enter('ada')
  const person = (await read(ada)).headers.get('x-page-person') ?? ''
  expect(person).toBe('ada')
  expect((await read({ ...ada, 'x-page-person': person })).status).toBe(200)
  const refused = await read({ ...(await enter('josé')), 'x-page-person': person })
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('Load the page again')])
  expect(refused.headers.get('x-page-person')).toBe('jos%C3%A9')
})

it('request: does nothing if its body arrives after the token was revoked', async () => {
  const { hostname, host, port } = new URL(server.origin)
  const body = JSON.stringify({ ref: 'acme/echo', input: { message: 'after' } })
  const begin = async (name: string, ...headers: readonly string[]) => {
    const socket = connect(Number(port), hostname)
    const lines = [`Host: ${host}`, `Authorization: Bearer ${tokens[name]}`, 'Content-Type: application/json']
    socket.write(['POST /api/invocations HTTP/1.1', ...lines, ...headers, '', ''].join('\r\n'))
    socket.on('error', () => {})
    let answer = ''
    socket.on('data', data => {
      answer += data
    })
    const ended = new Promise<string>(resolve => socket.once('close', () => resolve(answer)))
    return { socket, ended }
  }
  const whole = await begin('slow', `Content-Length: ${body.length}`)
  const chunked = await begin('slow', 'Transfer-Encoding: chunked')
  whole.socket.write(body.slice(0, 5))
  chunked.socket.write(`5\r\n${body.slice(0, 5)}\r\n`)
  // The requests were admitted: a sign-in is an entry of the audit log.
  await waitFor(async () =>
    expect((await as('operator', '/api/audit?person=slow')).text).toContain('"sign-in"'),
  )
  await revokePerson(store, 'slow')
  expect(await Promise.all([whole.ended, chunked.ended])).toEqual(['', ''])
})

it('comparison of results: makes no more calls at a time than the person may', async () => {
  for (const name of ['one', 'two', 'three']) {
    const text = JSON.stringify({ name, input: { message: name } })
    await as('ada', '/api/examples', { method: 'PUT', body: { ref: 'acme/echo', text } })
  }
  const { text } = await as('single', '/api/compare', { body: { a: 'acme', b: 'other' } })
  expect(text.match(/"status":"same"/g)).toHaveLength(3)
  expect(text).not.toContain('Too many requests')
})

it('proxy: may name a person in UTF-8', async () => {
  const name = Buffer.from('josé').toString('latin1')
  const headers = { 'x-forwarded-user': name, 'x-proxy-secret': proxySecret }
  const { text } = await sendTo(server.origin, '/api/rights', { headers })
  expect(JSON.parse(text)).toMatchObject({ person: { name: 'josé' } })
})
