/** What a server refuses, and what it writes down. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { contract } from '../../core/api/contract.ts'
import { acme, type Running, runToolscope, startToolscope } from '../../scripts/toolscope-program.ts'
import { test } from '../testing/folder-test.ts'

async function serving(
  args: readonly string[],
  folder: string,
  act: (server: Running) => Promise<void>,
  environment: NodeJS.ProcessEnv = {},
): Promise<void> {
  const data = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const server = await startToolscope([...args, 'node', '--', acme], folder, { ...data, ...environment })
  try {
    await act(server)
  } finally {
    await server.stop()
  }
}

/** A request without a right body: what the right refuses never gets to it. */
const send = (server: Running, key: string, body = '{}', headers: Record<string, string> = {}) => {
  const [method = '', path = ''] = key.split(' ')
  return fetch(`${server.origin}${path.replace(/\{\+?(\w+)\}/g, 'x')}`, {
    method,
    headers: { authorization: `Bearer ${server.token}`, 'content-type': 'application/json', ...headers },
    ...(method === 'GET' ? {} : { body }),
  })
}

/** `fetch` sets the Host header itself. */
const sendRaw = (server: Running, method: string, path: string, headers: Record<string, string>) =>
  new Promise<number | undefined>((resolve, reject) => {
    const authorization = `Bearer ${server.token}`
    request(`${server.origin}${path}`, { method, headers: { authorization, ...headers } }, answer => {
      answer.resume()
      resolve(answer.statusCode)
    })
      .once('error', reject)
      .end()
  })

const rightsOf = (right: string) =>
  Object.entries(contract).flatMap(([key, endpoint]) => (endpoint.right === right ? [key] : []))

describe('rights', () => {
  test('of --read-only refuse every endpoint that calls, changes or opens something, and no other', async ({
    folder,
  }) => {
    await serving(['--read-only'], folder, async server => {
      const { refused } = (await (await server.request('/api/rights')).json()) as { refused: object }
      const expected = ['call', 'write', 'sources'].flatMap(rightsOf)
      expect(Object.keys(refused).sort()).toEqual([...expected].sort())
      for (const key of expected) {
        const answer = await send(server, key)
        expect([key, answer.status]).toEqual([key, 403])
        expect(await answer.json()).toMatchObject({
          error: { code: 'not-allowed', detail: expect.stringContaining('read-only') },
        })
      }
      for (const path of ['/api/tools', '/api/history', '/api/diff?a=acme&b=acme'])
        expect((await server.request(path)).status).toBe(200)
    })
  })

  test('GET /api/diff: refuses a file of the folder, as one that is not there, in both modes', async ({
    folder,
  }) => {
    writeFileSync(join(folder, 'private.json'), '{"tools":[{"name":"private-tool","inputSchema":{}}]}')
    const ask = async (server: Running, file: string) => {
      const answer = await server.request(`/api/diff?a=${file}&b=acme`)
      return [answer.status, await answer.text()]
    }
    for (const mode of ['--read-only', '--fixed-sources'])
      await serving([mode], folder, async server => {
        const there = await ask(server, 'private.json')
        expect(there).toEqual([404, expect.stringContaining('not-found')])
        expect(await ask(server, 'none.json')).toEqual(there)
      })
    await serving([], folder, async server => expect((await ask(server, 'private.json'))[0]).toBe(200))
  })

  test('of --fixed-sources refuse to open, start and stop sources, and allow calls', async ({ folder }) => {
    await serving(['--fixed-sources'], folder, async server => {
      for (const key of rightsOf('sources'))
        expect([key, (await send(server, key)).status]).toEqual([key, 403])
      const called = await server.request('/api/invocations', {
        ref: 'acme/ops status',
        input: { region: 'eu-west' },
      })
      expect([called.status, await called.text()]).toEqual([200, expect.stringContaining('"type":"result"')])
      expect((await send(server, 'POST /api/sources/acme/refresh')).status).toBe(200)
    })
  })

  test('are set for every endpoint', () => {
    for (const [key, { right }] of Object.entries(contract))
      expect([key, right]).toEqual([key, expect.stringMatching(/^(read|call|write|sources)$/)])
  })
})

describe('audit', () => {
  const linesOf = (text: string) =>
    text
      .split('\n')
      .filter(line => line.startsWith('{"time"'))
      .map(line => JSON.parse(line) as Record<string, string>)

  test('writes who did what into a file, without secrets and inputs', async ({ folder }) => {
    const file = join(folder, 'audit.jsonl')
    const args = ['--audit', file, '--user-header', 'X-User']
    await serving(args, folder, async server => {
      const who = { 'x-user': 'ada\u0085eve', 'x-forwarded-for': '10.0.0.7' }
      const input = { name: 'secret-input-text' }
      await (
        await send(server, 'POST /api/invocations', JSON.stringify({ ref: 'acme/api greet', input }), who)
      ).text()
      const source = JSON.stringify({ input: 'no-such-program --api-key hunter2-hunter2 --verbose' })
      await send(server, 'POST /api/sources', source)
      await send(server, 'POST /api/sources', '{"input": "https://ada:hunter2-hunter2@127.0.0.1:9/x"}')
      await server.request('/api/tools')
    })
    const text = readFileSync(file, 'utf8')
    expect(linesOf(text)).toMatchObject([
      {
        outcome: 'accepted',
        right: 'call',
        target: 'acme/api greet',
        address: '127.0.0.1',
        forwardedFor: '10.0.0.7',
      },
      { outcome: 'accepted', right: 'sources', target: 'no-such-program --api-key ••• --verbose' },
      { outcome: 'accepted', right: 'sources', target: expect.stringContaining('127.0.0.1:9') },
    ])
    expect(linesOf(text)[0]?.user).toContain('ada')
    expect(text).not.toMatch(/hunter2|secret-input|\u0085/)
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  test('is written to stderr by default when other hosts are allowed, including refused requests', async ({
    folder,
  }) => {
    const args = ['--allow-host', 'tools.example.com', '--fixed-sources']
    await serving(
      args,
      folder,
      async server => {
        const headers = { authorization: 'Bearer 0123456789abcdef' }
        expect((await send(server, 'POST /api/manifests', '{"name":"m","text":"{}"}', headers)).status).toBe(
          403,
        )
        expect(linesOf(server.stderr())).toMatchObject([
          { outcome: 'refused', right: 'sources', request: 'POST /api/manifests', target: 'm' },
        ])
      },
      { TOOLSCOPE_TOKEN: '0123456789abcdef' },
    )
  })

  test('names a request without the token, from another page or to another host, and what it asked for', async ({
    folder,
  }) => {
    const file = join(folder, 'audit.jsonl')
    await serving(['--audit', file], folder, async server => {
      const statuses = []
      for (const headers of [
        { authorization: 'Bearer wrong' },
        { origin: 'https://evil.example' },
        { host: 'evil.example' },
      ])
        statuses.push(await sendRaw(server, 'DELETE', '/api/sources/acme', headers))
      expect(statuses).toEqual([401, 403, 403])
    })
    const line = {
      outcome: 'refused',
      right: 'sources',
      request: 'DELETE /api/sources/{name}',
      target: 'acme',
    }
    expect(linesOf(readFileSync(file, 'utf8'))).toMatchObject([line, line, line])
  })

  test('prevents the start, and later a request, when its file cannot be written', async ({ folder }) => {
    const run = await runToolscope(['serve', '--no-open', '--port', '0', '--audit', 'no/such/file'], {
      directory: folder,
    })
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('no/such/file')])
    const file = join(folder, 'audit.jsonl')
    await serving(['--audit', file], folder, async server => {
      rmSync(file)
      mkdirSync(file)
      const called = await server.request('/api/invocations', { ref: 'acme/ops status' })
      expect([called.status, await called.text()]).toEqual([403, expect.stringContaining('EISDIR')])
      const outside = await send(server, 'POST /api/invocations', '{}', { authorization: 'Bearer wrong' })
      expect([outside.status, await outside.text()]).toEqual([401, expect.not.stringContaining('EISDIR')])
    })
  })
})
