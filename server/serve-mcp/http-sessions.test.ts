import { Server } from '@modelcontextprotocol/server'
import { afterEach, describe, expect, it } from 'vitest'
import { until } from '../../scripts/test-processes.ts'
import { HttpSessions } from './http-sessions.ts'

const address = 'http://127.0.0.1/mcp'
const headers = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
const params = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
}

let closedCount = 0
let sessions: HttpSessions
function start(limits: { maxSessions?: number; maxIdleMs?: number } = {}): void {
  closedCount = 0
  const build = () => {
    const server = new Server({ name: 'test', version: '1' }, { capabilities: {} })
    server.onclose = () => {
      closedCount += 1
    }
    return server
  }
  sessions = new HttpSessions(build, { maxBodyBytes: 10_000, ...limits })
}
afterEach(() => sessions.close())

const post = (method: string, more: Record<string, string> = {}, body: object = { id: 1, params }) =>
  sessions.answer(
    new Request(address, {
      method: 'POST',
      headers: { ...headers, ...more },
      body: JSON.stringify({ jsonrpc: '2.0', method, ...body }),
    }),
  )
async function open(): Promise<{ 'mcp-session-id': string }> {
  const response = await post('initialize')
  await response?.text()
  return { 'mcp-session-id': response?.headers.get('mcp-session-id') ?? '' }
}
const ping = async (session: Record<string, string>) => {
  const response = await post('ping', session, { id: 2 })
  await response?.text()
  return response?.status
}

describe('HTTP sessions', () => {
  it('open with initialize, and end with DELETE', async () => {
    start()
    const session = await open()
    expect(await ping(session)).toBe(200)
    await sessions.answer(new Request(address, { method: 'DELETE', headers: { ...headers, ...session } }))
    expect(await ping(session)).toBe(404)
    expect(closedCount).toBe(1)
  })

  it('leave other requests to others', async () => {
    start()
    expect(await post('tools/list')).toBeUndefined()
    expect(await post('initialize', { 'mcp-method': 'initialize' })).toBeUndefined()
    expect(
      await post('initialize', {}, { id: 1, params: { ...params, text: 'x'.repeat(20_000) } }),
    ).toBeUndefined()
    expect(await sessions.answer(new Request(address))).toBeUndefined()
    expect(await ping({ 'mcp-session-id': 'unknown' })).toBe(404)
  })

  it('end the one that was not used for the longest time if there are too many', async () => {
    start({ maxSessions: 2 })
    const first = await open()
    const second = await open()
    await ping(first)
    await open()
    expect([await ping(first), await ping(second)]).toEqual([200, 404])
  })

  it('end if no request comes and no stream is open', async () => {
    start({ maxIdleMs: 50 })
    const idle = await open()
    const streaming = await open()
    const client = new AbortController()
    const request = { headers: { ...headers, ...streaming }, signal: client.signal }
    const stream = await sessions.answer(new Request(address, request))
    await until(() => closedCount === 1)
    expect([await ping(idle), await ping(streaming)]).toEqual([404, 200])
    client.abort()
    await stream?.body?.cancel()
    await until(() => closedCount === 2)
  })
})
