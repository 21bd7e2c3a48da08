/** Against real servers: `localhost` and 127.0.0.1 are two hosts. */
import type { IncomingHttpHeaders } from 'node:http'
import { expect, it } from 'vitest'
import { toAppError } from '../../core/errors.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { callAndWait, neverAborted, testContext, toolNamed } from '../sources/testkit.ts'
import { fetchAddress, hideAddressSecrets } from './fetch-address.ts'
import { forward, listenOnce, startMcpServer } from './network.testkit.ts'

/** A server whose path `/301/<location>` points to the location, and which says what else it was asked. */
async function startPointer(...[onTestFinished]: [Parameters<typeof listenOnce>[1]]) {
  const port = await listenOnce((request, response) => {
    const [, status, location] = /^\/(\d{3})\/(.*)$/.exec(request.url ?? '') ?? []
    if (status !== undefined && location !== undefined)
      return response.writeHead(Number(status), { location: decodeURIComponent(location) }).end()
    let body = ''
    request.on('data', chunk => {
      body += chunk
    })
    request.on('end', () => response.end(`${request.method} ${request.url} ${body}`))
  }, onTestFinished)
  return (status: number, location: string) =>
    `http://127.0.0.1:${port}/${status}/${encodeURIComponent(location.replace('PORT', String(port)))}`
}

const refused = (address: string, init: Parameters<typeof fetchAddress>[1] = {}) =>
  fetchAddress(address, init).then(
    response => response.text(),
    thrown => toAppError(thrown).toShape(),
  )

it('fetchAddress: follows redirects on the same host, and says where other redirects point', async ({
  onTestFinished,
}) => {
  const pointer = await startPointer(onTestFinished)
  const post = { method: 'POST', body: '{"a":1}' }
  const text = async (address: string, init = {}) => (await fetchAddress(address, init)).text()
  expect(await text(pointer(301, '/mcp/'))).toBe('GET /mcp/ ')
  expect(await text(pointer(307, '/mcp/'), post)).toBe('POST /mcp/ {"a":1}')
  expect(await text(pointer(308, 'http://127.0.0.1:PORT/mcp/'), post)).toBe('POST /mcp/ {"a":1}')
  expect(await refused(pointer(302, '/login'), post)).toMatchObject({
    detail: expect.stringMatching(
      /answered 302 and points to http:\/\/127\S+\/login, which a POST does not follow$/,
    ),
  })
  for (const elsewhere of ['http://localhost:PORT/mcp?key=abc', 'https://other.example/mcp?key=abc'])
    expect(await refused(pointer(307, elsewhere), post)).toMatchObject({
      code: 'source-failed',
      detail: expect.stringMatching(
        /points to https?:\/\/(?:localhost:\d+|other\.example)\/mcp\?…, another host$/,
      ),
      hint: expect.stringContaining('"redirects": "any-host"'),
    })
  for (const elsewhere of ['file:///etc/passwd', 'http://', 'javascript:alert(1)'])
    expect(await refused(pointer(307, elsewhere), { redirects: 'any-host' })).toMatchObject({
      detail: expect.stringContaining('and points to'),
    })
  const circle = await listenOnce(
    (_request, response) => response.writeHead(307, { location: '/' }).end(),
    onTestFinished,
  )
  expect(await refused(`http://127.0.0.1:${circle}/`)).toMatchObject({
    detail: expect.stringContaining('redirected more than 5 times'),
  })
  const kept = await fetchAddress(pointer(302, 'https://other.example/'), { redirect: 'manual' })
  expect([kept.status, kept.headers.get('location')]).toEqual([302, 'https://other.example/'])
  expect(
    await text(pointer(307, '/token'), { method: 'POST', body: new URLSearchParams({ a: 'b c' }) }),
  ).toBe('POST /token a=b+c')
})

it('fetchAddress: reuses a connection at once, and opens a new one after a pause', async ({
  onTestFinished,
}) => {
  const connections = new Map<unknown, number>()
  const port = await listenOnce(({ socket }, response) => {
    const last = connections.get(socket)
    connections.set(socket, performance.now())
    // What a client sees whose request meets the closing of an idle connection.
    if (last !== undefined && performance.now() - last > 1_500) socket.destroy()
    else response.end('answered')
  }, onTestFinished)
  const post = async () =>
    (await fetchAddress(`http://127.0.0.1:${port}/`, { method: 'POST', body: '{}' })).text()
  expect([await post(), await post(), connections.size]).toEqual(['answered', 'answered', 1])
  await new Promise(resolve => setTimeout(resolve, 1_600))
  expect([await post(), connections.size]).toEqual(['answered', 2])
})

it('fetchAddress: sends no credentials to another origin, and says so when that origin asks for them', async ({
  onTestFinished,
}) => {
  const mcp = await startMcpServer(onTestFinished)
  const arrived: IncomingHttpHeaders[] = []
  const other = await listenOnce(forward(mcp, arrived), onTestFinished)
  const named: IncomingHttpHeaders[] = []
  const first = await listenOnce((request, response) => {
    named.push(request.headers)
    response.writeHead(307, { location: `http://localhost:${other}/mcp` }).end()
  }, onTestFinished)
  const credentials = { Authorization: 'Bearer cred-one', Cookie: 'sid=cred-two', 'X-Team-Key': 'cred-three' }
  const open = (redirects?: 'any-host') =>
    configuredSource(
      { mcp: { url: `http://user:cred-four@127.0.0.1:${first}/mcp`, headers: credentials, redirects } },
      { name: 'pointed' },
      {},
    ).open(testContext)

  const refusing = await open()
  const error = await refusing.manifest(neverAborted()).catch(thrown => toAppError(thrown).toShape())
  expect(error).toMatchObject({
    detail: expect.stringContaining(`http://localhost:${other}/mcp, another host`),
    hint: expect.stringContaining('"redirects": "any-host"'),
  })
  await refusing.close()
  expect(arrived).toEqual([])

  const session = await open('any-host')
  onTestFinished(() => session.close())
  const { ending } = await callAndWait(session, await toolNamed(session, 'echo'), { message: 'hi' })
  expect(ending).toMatchObject({ structuredContent: { message: 'hi' } })
  expect(named.at(-1)).toMatchObject({ authorization: 'Bearer cred-one', 'x-team-key': 'cred-three' })
  expect(arrived.length).toBeGreaterThan(1)
  expect(JSON.stringify(arrived)).not.toMatch(/cred-|authorization|cookie|x-team-key/i)

  const wants = await listenOnce((_request, response) => response.writeHead(401).end(), onTestFinished)
  const pointing = await listenOnce(
    (_request, response) => response.writeHead(307, { location: `http://localhost:${wants}/mcp` }).end(),
    onTestFinished,
  )
  expect(
    await refused(`http://127.0.0.1:${pointing}/`, { redirects: 'any-host', headers: credentials }),
  ).toMatchObject({
    detail: expect.stringContaining('answered 401 without your credentials'),
  })
})

it.each([
  ['https://user:hunter2@host.example/a/b?key=hunter2#x', 'https://host.example/a/b?…'],
  ['http://user:hunter2@[/a?key=hunter2', 'http://[/a?…'],
  ['http://us@er:hunter2@host:99999/a', 'http://host:99999/a'],
  ['mcp:http://user:hunter2@host/mcp?key=hunter2', 'mcp:http://host/mcp?…'],
  ['bridge:http://user:hunter2@host', 'bridge:http://host'],
  ['localhost:3000/mcp?key=hunter2', 'localhost:3000/mcp?…'],
  ['ftp://user:hunter2@host/a', 'ftp://host/a'],
  ['C:/tools/a.json', 'C:/tools/a.json'],
  ['https://host.example/@scope/a', 'https://host.example/@scope/a'],
])('shown: leaves out the password and the query of %s', (address, text) => {
  expect(hideAddressSecrets(address)).toBe(text)
})
