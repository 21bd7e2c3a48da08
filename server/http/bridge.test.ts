import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { numbered } from '../../core/prompt/legal-names.ts'
import { limitNow, until } from '../../scripts/test-processes.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { mcpSource } from '../recognise/detect-source.ts'
import { readMcpJson } from '../recognise/mcp-json.ts'
import {
  callAndWait,
  neverAborted,
  openSource,
  resolveInRepository,
  testContext,
  toolNamed,
} from '../sources/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'
import { startValidator } from '../workers/validator.ts'
import { bridgeName, bridgeTools, createBridge } from './bridge-app.ts'
import { listenAt } from './listen.ts'

const quirks = resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs')
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bridge-'))
const ends: (() => Promise<unknown>)[] = []

async function startBridge(mcpServers: object, options: { token?: string; timeoutMs?: number } = {}) {
  const path = join(folder, `mcp-${ends.length}.json`)
  writeFileSync(path, JSON.stringify({ mcpServers }))
  const catalog = new Catalog(testContext)
  const unprefixed = new Set<string>()
  const opened = Promise.all(
    (readMcpJson(path) ?? []).map(async server => {
      const { name } = await catalog.sources.open(mcpSource(server))
      if (!server.prefix) unprefixed.add(name)
    }),
  )
  const validator = startValidator()
  const app = createBridge({
    pins: null,
    call: createCaller({ tools: catalog, validator, pins: null }),
    validator,
    access: { token: options.token, loopback: true },
    catalog,
    tools: bridgeTools(catalog, unprefixed),
    opened,
    timeoutMs: options.timeoutMs ?? 10_000,
    version: 'test',
  })
  const { server, url } = await listenAt(app, '127.0.0.1', 0)
  ends.push(() => catalog.close())
  ends.push(async () => server.closeAllConnections())
  await opened
  return { url, catalog }
}

let url = ''
beforeAll(async () => {
  const servers = {
    'Quirks-Old': { command: process.execPath, args: [quirks] },
    bare: { command: process.execPath, args: [quirks], prefix: false },
    broken: { command: process.execPath, args: ['-e', 'console.error("no key");process.exit(3)'] },
    missing: { command: '/no/such/program' },
    nothing: {},
  }
  ;({ url } = await startBridge(servers))
})

afterAll(async () => {
  for (const end of ends) await end()
  rmSync(folder, { recursive: true })
})

const post = (name: string, body = '{}', headers: Record<string, string> = {}) =>
  fetch(`${url}/tools/${name}`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json', ...headers },
  })
const json = { accept: 'application/json' }
const toolsOf = async (query = '') =>
  (await (await fetch(`${url}/tools${query}`)).json()) as { name: string; [key: string]: unknown }[]

describe('bridge for the scripts of llm-functions', () => {
  it('lists names, descriptions, parameters and the server', async () => {
    const [first] = await toolsOf()
    expect(first).toEqual({
      name: 'quirks_old_echo',
      description: 'Gives back its input.',
      parameters: { type: 'object', properties: { message: {} } },
      mcp: 'Quirks-Old',
    })
  })

  it('leaves the server out of the name when its entry says so', async () => {
    expect((await toolsOf()).some(tool => tool.name === 'echo' && tool.mcp === 'bare')).toBe(true)
  })

  it('returns text, marks a tool error, and names an unknown tool', async () => {
    expect(await (await post('quirks_old_typed')).text()).toBe('counted')
    expect(await (await post('quirks_old_fails')).text()).toBe('Tool Error\nit did not work\nat all')
    const missing = await post('nope')
    expect([missing.status, await missing.text()]).toEqual([200, "Not found tool 'nope'"])
    expect(await (await fetch(`${url}/health`)).text()).toBe('OK')
    expect(await (await fetch(`${url}/pid`)).text()).toBe(String(process.pid))
  })

  it('accepts an empty body and any content type as an input', async () => {
    expect(await (await post('quirks_old_echo', '')).text()).toBe('{}')
    expect(
      await (await post('quirks_old_echo', '{"message":1}', { 'content-type': 'text/plain' })).text(),
    ).toBe('{"message":1}')
  })
})

describe('bridge without the faults of the original', () => {
  it('serves other servers when some do not start', async () => {
    expect((await toolsOf()).filter(tool => tool.mcp === 'Quirks-Old')).toHaveLength(16)
  })

  it('lists every page of a list', async () => {
    expect((await toolsOf()).map(tool => tool.name)).toContain('quirks_old_grow')
  })

  it('keeps output schemas, titles, annotations, structured content and mime types', async () => {
    const full = await toolsOf('?full=1')
    expect(full.find(tool => tool.name === 'quirks_old_echo')).toMatchObject({
      title: 'Echo',
      annotations: { readOnlyHint: true },
    })
    expect(full.find(tool => tool.name === 'quirks_old_typed')).toHaveProperty('outputSchema.required', [
      'count',
    ])
    expect(await (await post('quirks_old_typed', '{"count":3}', json)).json()).toEqual({
      content: [{ type: 'text', text: 'counted' }],
      isError: false,
      structuredContent: { count: 3 },
    })
    expect(await (await post('quirks_old_image', '{}', json)).json()).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png' }],
    })
    expect(await (await post('quirks_old_image')).text()).toMatch(/^data:image\/png;base64,/)
    expect(await (await post('quirks_old_resources')).text()).toMatch(/^file:\/\/\/a.txt\nb\ndata:/)
  })

  it('gives two tools with the same name a different name each', async () => {
    const names = (await toolsOf()).map(tool => tool.name)
    expect(new Set(names).size).toBe(names.length)
    expect(await (await post('quirks_old_same_name')).text()).toBe('first')
    expect(await (await post('quirks_old_same_name_2')).text()).toBe('second')
  })

  it(
    'fails a call at once when its server crashes, and starts the server for the next call',
    aboutTime,
    async () => {
      const started = Date.now()
      const crash = await post('quirks_old_crash', '{}', json)
      expect(crash.status).toBe(502)
      expect(await crash.json()).toMatchObject({
        error: { reason: 'network', stderr: expect.stringContaining('crashing on purpose') },
      })
      expect(Date.now() - started).toBeLessThan(limitNow(2_000))
      expect(await (await post('quirks_old_echo')).text()).toBe('{}')
    },
  )

  it('ends each call at its time limit', async () => {
    const quick = await startBridge({ q: { command: process.execPath, args: [quirks] } }, { timeoutMs: 300 })
    const late = await fetch(`${quick.url}/tools/q_hang`, { method: 'POST', headers: json })
    expect([late.status, await late.json()]).toMatchObject([504, { error: { reason: 'timeout' } }])
  })

  it('cancels a call whose client disconnects', async () => {
    const { url: base, catalog } = await startBridge({ q: { command: process.execPath, args: [quirks] } })
    const log = () => JSON.stringify(catalog.sources.get('q').logLines())
    const abort = new AbortController()
    const leaving = fetch(`${base}/tools/q_hang`, { method: 'POST', signal: abort.signal })
    const left = expect(leaving).rejects.toThrow()
    await until(() => log().includes('hang started'))
    abort.abort()
    await left
    await until(() => log().includes('hang was cancelled'))
  })

  it('streams progress to a client that asks for it', async () => {
    const lines = (
      await (await post('quirks_old_slow', '{"steps":2}', { accept: 'application/x-ndjson' })).text()
    )
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(line => line.type)).toEqual(['progress', 'progress', 'result'])
  })

  it('never answers HTML, whatever a tool or a caller sends', async () => {
    const answers = [
      await post('quirks_old_echo', '{"message":"<script>alert(1)</script>"}', { accept: 'text/html' }),
      await post('<script>', '{}', { accept: 'text/html' }),
      await post('quirks_old_echo', '{"broken', { accept: 'text/html' }),
      await post('quirks_old_echo', '[1]'),
      await fetch(`${url}/<script>`, { headers: { accept: 'text/html' } }),
    ]
    for (const answer of answers) {
      expect(answer.headers.get('content-type')).toMatch(/^text\/plain/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    }
    expect(answers.map(answer => answer.status)).toEqual([200, 200, 400, 400, 404])
  })

  it('accepts bodies over 100 KB', async () => {
    const body = JSON.stringify({ message: 'x'.repeat(1_000_000) })
    expect((await (await post('quirks_old_echo', body)).text()).length).toBe(body.length)
  })

  it('answers with the right status codes when JSON is asked for', async () => {
    expect((await post('nope', '{}', json)).status).toBe(404)
    expect((await post('quirks_old_echo', '{', json)).status).toBe(400)
    expect(await (await post('quirks_old_fails', '{}', json)).json()).toMatchObject({ isError: true })
  })

  it('refuses pages of a browser and other host names', async () => {
    expect((await post('quirks_old_echo', '{}', { origin: 'https://evil.example' })).status).toBe(403)
    expect((await post('quirks_old_echo', '{}', { origin: 'null' })).status).toBe(403)
    expect((await post('quirks_old_echo', '{}', { origin: 'http://localhost:5173' })).status).toBe(403)
    expect((await post('quirks_old_echo', '{}', { origin: url })).status).toBe(200)
    expect(await statusWithHost('evil.example:80')).toBe(403)
    expect(await statusWithHost(new URL(url).host)).toBe(200)
  })

  it('requires the token when one is set', async () => {
    const { url: base } = await startBridge({}, { token: 'a long secret' })
    expect((await fetch(`${base}/tools`)).status).toBe(401)
    expect((await fetch(`${base}/tools`, { headers: { authorization: 'Bearer wrong' } })).status).toBe(401)
    expect(
      (await fetch(`${base}/tools`, { headers: { authorization: 'Bearer a long secret' } })).status,
    ).toBe(200)
  })
})

describe('bridge before a server that asks', () => {
  const path = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
  const lines = 'application/x-ndjson'
  let base = ''
  beforeAll(async () => {
    ;({ url: base } = await startBridge({
      e: { command: process.execPath, args: [path, 'stdio'] },
      m: { command: process.execPath, args: [resolveInRepository('server/sources/fixtures/mcp-passes.mjs')] },
    }))
  })
  const send = (target: string, body: object, headers: Record<string, string> = {}) =>
    fetch(`${base}${target}`, { method: 'POST', body: JSON.stringify(body), headers })

  /** Calls, answers each question with `answer`, and returns the events. */
  async function callAndAnswer(target: string, input: object, accept: string, answer: object) {
    const response = await send(target, input, { accept })
    const events: { type: string; id?: string; question?: { id: string } }[] = []
    const answers: number[] = []
    let rest = ''
    for await (const chunk of response.body ?? []) {
      rest += Buffer.from(chunk).toString()
      const parts = rest.split('\n')
      rest = parts.pop() ?? ''
      for (const line of parts) {
        const json = line.replace(/^data: /, '')
        if (!json.startsWith('{')) continue
        const event = JSON.parse(json)
        events.push(event)
        if (event.type !== 'question') continue
        const [{ id } = {}] = events
        const given = { question: event.question.id, ...answer }
        answers.push((await send(`/calls/${id}/answers`, { question: 'x', action: 'accept' })).status)
        answers.push((await send(`/calls/${id}/answers`, given)).status)
      }
    }
    return { type: response.headers.get('content-type'), events, answers, text: JSON.stringify(events) }
  }

  it.each([lines, 'text/event-stream'])('asks a caller that accepts %s and wants questions', async accept => {
    const answer = { action: 'accept', content: { name: 'Ada' } }
    const target = '/tools/e_trigger_elicitation_request?asks=1'
    const { type, events, answers, text } = await callAndAnswer(target, {}, accept, answer)
    expect(type).toContain(accept)
    expect(events[0]).toMatchObject({ type: 'started' })
    expect(answers).toEqual([404, 200])
    expect(text).toContain('Name: Ada')
  })

  it('declines the questions of other callers', async () => {
    const text = await (await send('/tools/e_trigger_elicitation_request', {})).text()
    expect(text).toContain('"action": "decline"')
    const { text: streamed } = await callAndAnswer('/tools/e_trigger_elicitation_request', {}, lines, {})
    expect(streamed).toContain('?asks=1')
    expect((await send('/calls/1/answers', { question: 1 })).status).toBe(400)
  })

  it('waits for a task, and streams its states', async () => {
    const input = { topic: 'tides' }
    const { events, text } = await callAndAnswer('/tools/e_simulate_research_query', input, lines, {})
    expect(events.map(({ type }) => type)).toContain('task')
    expect(text).toContain('Research Report: tides')
  })

  it('passes on the trace of the caller', async () => {
    const trace = {
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      tracestate: 'a=1',
      baggage: 'b=2',
    }
    expect(JSON.parse(await (await send('/tools/m_meta', {}, trace)).text())).toMatchObject(trace)
  })
})

it('bridge: is a source of its own, which tells success from failure', async () => {
  const session = await openSource(url)
  const typed = await toolNamed(session, 'quirks_old_untyped')
  expect(typed.outputSchema).toBeDefined()
  expect((await callAndWait(session, typed, {})).ending).toMatchObject({
    type: 'result',
    structuredContent: { count: 'many' },
  })
  const call = async (name: string) => (await callAndWait(session, { ...typed, name }, {})).ending
  expect(await call('quirks_old_fails')).toMatchObject({
    type: 'failure',
    reason: 'tool-error',
    isError: true,
  })
  expect(await call('nope')).toMatchObject({ type: 'failure', reason: 'not-found' })
  expect((await session.manifest(neverAborted())).problems).toEqual([])
  await session.close()
})

it('bridge: passes numbers beyond 2^53 exactly in both directions', async () => {
  const raw = resolveInRepository('server/sources/fixtures/mcp-raw.mjs')
  const { url: base } = await startBridge({ raw: { command: process.execPath, args: [raw] } })
  const input = '{"id":9007199254740993}'
  const answer = await (await fetch(`${base}/tools/raw_fine`, { method: 'POST', body: input })).text()
  expect(answer).toContain('"big":12345678901234567890')
  const session = await openSource(base)
  const { ending } = await callAndWait(session, await toolNamed(session, 'raw_fine'), input)
  expect(ending.raw).toContain('"big":12345678901234567890')
  expect(ending.structuredContent).toHaveProperty('sent', expect.stringContaining(input))
  await session.close()
})

it('bridge: serves the bridged entries of an llm-functions tree in full', async () => {
  const tree = join(folder, 'tree')
  mkdirSync(tree)
  const entries = ['typed', 'fails', 'crash'].map(name => ({
    name: `quirks_old_${name}`,
    description: name,
    parameters: { type: 'object', properties: {} },
    mcp: 'Quirks-Old',
  }))
  writeFileSync(join(tree, 'functions.json'), JSON.stringify(entries))
  const environment = { ...process.env, MCP_BRIDGE_PORT: new URL(url).port }
  const session = await openSource([tree], { ...testContext, environment })
  const call = async (name: string) => (await callAndWait(session, await toolNamed(session, name), {})).ending
  const typed = await call('quirks_old_typed')
  expect(typed).toMatchObject({ type: 'result', structuredContent: { count: expect.any(Number) } })
  expect(typed).not.toHaveProperty('note')
  expect(await call('quirks_old_fails')).toMatchObject({ reason: 'tool-error', isError: true })
  expect(await call('quirks_old_crash')).toMatchObject({
    reason: 'network',
    message: expect.stringContaining('The server exited'),
  })
  await session.close()
})

it('bridge: refuses a body over 32 MiB as soon as it is announced', async () => {
  const status = await new Promise<number | undefined>((resolve, reject) => {
    const headers = { 'content-length': 33 * 1024 * 1024 }
    const call = request(`${url}/tools/quirks_old_echo`, { method: 'POST', headers }, answer => {
      answer.resume()
      resolve(answer.statusCode)
      call.destroy()
    })
    call.on('error', reject)
    call.write('{')
  })
  expect(status).toBe(413)
})

it('bridge: makes names like the original, and unique ones', () => {
  expect(bridgeName('My-Server', 'Read-File', true)).toBe('my_server_read_file')
  expect(numbered(['a', 'a', 'a_2', 'a'], { sources: [] })).toEqual(['a', 'a_3', 'a_2', 'a_4'])
})

function statusWithHost(host: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(`${url}/health`, { headers: { host } }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
    call.on('error', reject)
    call.end()
  })
}
