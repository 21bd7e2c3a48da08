import { createServer } from 'node:http'
import { describe, expect, onTestFinished, test } from 'vitest'
import { callAndWait, toolNamed } from '../sources/testkit.ts'
import { entry, makeTree, openTree } from './testkit.ts'

describe('call of a bridge entry', () => {
  async function bridge(answer: (path: string, body: string) => [number, string]) {
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', chunk => {
        body += chunk
      })
      request.on('end', () => {
        const [status, text] = answer(request.url ?? '', body)
        if (status > 0) response.writeHead(status, { 'content-type': 'text/html' }).end(text)
      })
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    onTestFinished(() => {
      server.closeAllConnections()
      server.close()
    })
    const address = server.address()
    return String(typeof address === 'object' ? address?.port : '')
  }
  const root = () => makeTree({ 'functions.json': [entry('fs_cat', {}, { mcp: 'fs' })] })
  async function call(port: string, options = {}) {
    const session = await openTree(root(), { MCP_BRIDGE_PORT: port })
    const tool = await toolNamed(session, 'fs_cat')
    expect(tool.extra).toEqual({ mcp: 'fs', throughBridge: true })
    return (await callAndWait(session, tool, '{"n": 1.0}', options)).ending
  }

  test('sends the exact input to the bridge', async () => {
    const port = await bridge((path, body) => [200, `${path} ${body}`])
    expect(await call(port)).toMatchObject({
      type: 'result',
      content: [{ type: 'text', text: '/tools/fs_cat {"n": 1.0}' }],
      note: expect.stringContaining('cannot reliably report whether a call failed'),
    })
  })

  test.each([
    [200, "Not found tool 'fs_cat'", { reason: 'not-found' }],
    [200, 'Tool Error\nno such file', { reason: 'tool-error', message: 'no such file', isError: true }],
    [
      500,
      '{"code":-32000,"name":"McpError"}',
      { reason: 'tool-error', message: 'The bridge answered HTTP 500 with MCP error -32000.' },
    ],
    [200, '{"a":1}', { type: 'result', content: [{ type: 'text', text: '{"a":1}' }] }],
    [200, '', { type: 'result', content: [] }],
  ])('reads the answer %i %j by the rule of the protocol', async (status, text, expected) => {
    expect(await call(await bridge(() => [status, text]))).toMatchObject(expected)
  })

  test('fails while no bridge runs, and says how to start it', async () => {
    const closed = createServer()
    await new Promise<void>(done => closed.listen(0, '127.0.0.1', done))
    const address = closed.address()
    await new Promise(done => closed.close(done))
    const free = String(typeof address === 'object' ? address?.port : '')
    expect(await call(free)).toMatchObject({
      type: 'failure',
      reason: 'network',
      message: expect.stringMatching(/^Not callable: .*MCP server "fs", and no bridge answers at http:/),
      hint: expect.stringContaining('Start the bridge'),
    })
  })

  test('ends at a cancel and at its time limit', async () => {
    const port = await bridge(() => [0, ''])
    expect(await call(port, { timeoutMs: 200 })).toMatchObject({ reason: 'timeout' })
    expect(await call(port, { signal: AbortSignal.timeout(200) })).toMatchObject({ reason: 'cancelled' })
  })
})
