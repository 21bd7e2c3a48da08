import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runToolscope } from '../../scripts/toolscope-program.ts'
import { forward, listenOnce, startMcpServer, startProxy, startTlsServer } from './network.testkit.ts'
import { findProxy } from './send.ts'

it.each([
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://a.example/', { https_proxy: 'p:1', HTTPS_PROXY: 'http://q:1' }, 'http://p:1/'],
  ['http://a.example/', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['http://a.example/', { HTTP_PROXY: 'https://p:1' }, 'https://p:1/'],
  ['http://a.example/', { all_proxy: 'http://p:1' }, 'http://p:1/'],
  ['http://a.example/', { http_proxy: '', HTTP_PROXY: 'http://p:1' }, 'http://p:1/'],
  ['https://localhost:3000/', { HTTPS_PROXY: 'http://p:1' }, undefined],
  ['http://127.8.0.1:3000/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['http://[::1]:3000/', { HTTP_PROXY: 'http://p:1' }, undefined],
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example, A.EXAMPLE' }, undefined],
  ['https://x.a.example/', { HTTPS_PROXY: 'http://p:1', no_proxy: '.a.example' }, undefined],
  ['https://xa.example/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example' }, 'http://p:1/'],
  ['https://a.example/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example:443' }, undefined],
  ['https://a.example:8443/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'a.example:443' }, 'http://p:1/'],
  ['https://10.1.2.3/', { HTTPS_PROXY: 'http://p:1', no_proxy: '10.0.0.0/8' }, undefined],
  ['https://11.1.2.3/', { HTTPS_PROXY: 'http://p:1', no_proxy: '10.0.0.0/8,10.0.0.0/99' }, 'http://p:1/'],
  ['https://[fd00::5]/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'fd00::/8' }, undefined],
  ['https://[fd00::5]/', { HTTPS_PROXY: 'http://p:1', no_proxy: 'fd00::5' }, undefined],
])('findProxy: sends %s with %o through %s', (address, environment, proxy) => {
  expect(findProxy(new URL(address), environment)?.href).toBe(proxy)
})

it('findProxy: refuses a proxy of another protocol', () => {
  expect(() => findProxy(new URL('https://a.example'), { HTTPS_PROXY: 'socks5://p:1' })).toThrow(/socks5:/)
})

it('toolscope list: reaches an MCP server through a proxy, with a certificate authority of its own', async ({
  onTestFinished,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-network-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const mcp = await startMcpServer(onTestFinished)
  const arrived: IncomingHttpHeaders[] = []
  const host = 'tools.company.example'
  const tls = await startTlsServer({ host, folder }, forward(mcp, arrived), onTestFinished)
  const plain = await listenOnce(forward(mcp, arrived), onTestFinished)
  const proxy = await startProxy(onTestFinished)
  const variables = {
    HTTPS_PROXY: `http://me:p%40ss@127.0.0.1:${proxy.port}`,
    HTTP_PROXY: `http://127.0.0.1:${proxy.port}`,
    NO_PROXY: 'direct.example',
    NODE_EXTRA_CA_CERTS: tls.authority,
  }
  const list = async (address: string, environment: NodeJS.ProcessEnv = variables) => {
    const run = await runToolscope(['list', `mcp:${address}`, '--json'], { environment })
    return { ...run, found: run.stdout.split('"ref"').length - 1 }
  }

  expect(await list(`https://${host}:${tls.port}/mcp`)).toMatchObject({ code: 0, found: 16 })
  expect(new Set(proxy.asked)).toEqual(new Set([`CONNECT ${host}:${tls.port}`]))
  expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${Buffer.from('me:p@ss').toString('base64')}`]))
  expect(JSON.stringify(arrived)).not.toContain('proxy-authorization')

  proxy.asked.length = 0
  expect(await list(`http://${host}:${plain}/mcp`)).toMatchObject({ code: 0, found: 16 })
  expect(proxy.asked[0]).toBe(`POST http://${host}:${plain}/mcp`)

  proxy.asked.length = 0
  expect(await list(mcp)).toMatchObject({ code: 0, found: 16 })
  expect(await list('https://direct.example:1/mcp')).toMatchObject({ code: 3 })
  expect(proxy.asked).toEqual([])

  const unknown = await list(`https://${host}:${tls.port}/mcp`, {
    ...variables,
    NODE_EXTRA_CA_CERTS: undefined,
  })
  expect(unknown).toMatchObject({
    code: 3,
    stderr: expect.stringMatching(/unknown authority[\s\S]*NODE_EXTRA_CA_CERTS/),
  })
  const refused = await list('https://refused.example/mcp')
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringMatching(/the proxy answered 407/) })
  expect(refused.stderr).not.toMatch(/p%40ss|p@ss/)
})
