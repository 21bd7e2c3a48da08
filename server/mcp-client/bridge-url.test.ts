/** Against a bridge that answers as llm-functions' own does (PROTOCOLS §3), whose answers were recorded there. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import type { ManifestTool } from '../../core/tool/tool.ts'
import { callAndWait, neverAborted, openSource } from '../sources/testkit.ts'

const answers: Record<string, [status: number, type: string, body: string]> = {
  good: [200, 'text/html', 'hello\nworld'],
  fails: [200, 'text/html', 'Tool Error\nit broke'],
  gone: [200, 'text/html', "Not found tool 'gone'"],
  refused: [500, 'application/json', '{"code":-32602,"name":"McpError"}'],
  crashed: [200, 'application/json', '{}'],
  empty: [200, 'text/html', ''],
  page: [413, 'text/html', '<!DOCTYPE html><pre>PayloadTooLargeError</pre>'],
}

const bodies: string[] = []
let server: Server
let url = ''

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname
    const reply = (status: number, type: string, body: string) =>
      response.writeHead(status, { 'content-type': `${type}; charset=utf-8` }).end(body)
    if (path === '/tools')
      return reply(
        200,
        'application/json',
        JSON.stringify(
          Object.keys(answers).map(name => ({
            name,
            description: '',
            parameters: { type: 'object' },
            mcp: 'demo',
          })),
        ),
      )
    if (path === '/health') return reply(200, 'text/html', 'OK')
    if (path === '/pid') return reply(200, 'text/html', '4321')
    const name = decodeURIComponent(path.slice('/tools/'.length))
    let body = ''
    for await (const chunk of request) body += chunk
    bodies.push(body)
    // `slow` never answers.
    const answer = answers[name]
    if (answer !== undefined) reply(...answer)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.closeAllConnections())

const call = async (name: string, input: unknown = {}, options = {}) => {
  const session = await openSource(url)
  const tool: ManifestTool = { name, inputSchema: { type: 'object' } }
  return (await callAndWait(session, tool, input, options)).ending
}

it('bridge source: is recognised at a bare address, and reports what it cannot tell', async () => {
  const session = await openSource(`${url}/`)
  expect(session.kind).toBe('bridge-url')
  const { tools, format, problems } = await session.manifest(neverAborted())
  expect(tools).toHaveLength(7)
  expect(tools[0]).toMatchObject({ name: 'good', extra: { mcp: 'demo' } })
  expect(format).toBe('bridge /tools')
  expect(problems).toMatchObject([{ message: expect.stringContaining('process 4321') }])
})

it('bridge source: reads each answer by the rule of the protocol', async () => {
  const uncertain = { note: expect.stringContaining('cannot reliably report whether a call failed') }
  expect(await call('good')).toMatchObject({
    type: 'result',
    content: [{ text: 'hello\nworld' }],
    ...uncertain,
  })
  expect(await call('fails')).toMatchObject({
    reason: 'tool-error',
    message: 'it broke',
    isError: true,
    ...uncertain,
  })
  expect(await call('gone')).toMatchObject({ reason: 'not-found' })
  expect(await call('refused')).toMatchObject({
    reason: 'tool-error',
    message: expect.stringContaining('-32602'),
  })
  expect(await call('crashed')).toMatchObject({ type: 'result', note: expect.stringContaining('crashed') })
  expect(await call('empty')).toMatchObject({
    type: 'result',
    content: [],
    note: expect.stringContaining('empty'),
  })
  expect(await call('page')).toMatchObject({ reason: 'tool-error', content: [{ type: 'text' }] })
})

it('bridge source: sends the exact input, and ends a call at its time limit and at a cancel', async () => {
  await call('good', '{"big": 12345678901234567890}')
  expect(bodies.at(-1)).toBe('{"big": 12345678901234567890}')
  expect(await call('slow', {}, { timeoutMs: 200 })).toMatchObject({ reason: 'timeout' })
  expect(await call('slow', {}, { signal: AbortSignal.timeout(200) })).toMatchObject({ reason: 'cancelled' })
})

it('bridge source: fails when nothing answers at its address', async () => {
  const session = await openSource('bridge:http://127.0.0.1:9')
  expect(await session.manifest(neverAborted()).catch(toAppError)).toMatchObject({ code: 'source-failed' })
  expect((await callAndWait(session, { name: 'x', inputSchema: true }, {})).ending).toMatchObject({
    reason: 'network',
  })
})
