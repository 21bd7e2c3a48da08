import { type ChildProcess, spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createServer, request as httpRequest, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, onTestFinished } from 'vitest'
import type { EmittedMessage } from '../../core/wire/wire-message.ts'
import { freePort, until } from '../../scripts/test-processes.ts'
import { listenOnce } from '../fetch/network.testkit.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { readTap, tapWords } from './tap.testkit.ts'
import { tapAddress } from './tap-address.ts'

interface Answer {
  readonly status: number | undefined
  readonly statusMessage: string | undefined
  readonly rawHeaders: readonly string[]
  readonly body: Buffer
  readonly isWhole: boolean
}

/** Sends a request with exactly these headers, and reads the answer to its end, also a broken one. */
function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body,
  }: { method?: string; headers?: Record<string, string>; body?: Buffer } = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers, agent: false }, (answer: IncomingMessage) => {
      const chunks: Buffer[] = []
      answer.on('data', (chunk: Buffer) => chunks.push(chunk))
      answer.on('error', () => {})
      answer.once('close', () => {
        const { statusCode: status, statusMessage, rawHeaders, complete: isWhole } = answer
        resolve({ status, statusMessage, rawHeaders, body: Buffer.concat(chunks), isWhole })
      })
    })
    request.once('error', reject)
    request.end(body)
  })
}

async function openTap(listener: RequestListener, path = '/mcp') {
  const port = await listenOnce(listener, onTestFinished)
  const messages: EmittedMessage[] = []
  const url = new URL(`http://127.0.0.1:${port}${path}`)
  const tap = await tapAddress({ url, port: 0, environment: {}, sink: message => messages.push(message) })
  onTestFinished(() => tap.close())
  return { url, tap, messages }
}

describe('tap of an address', () => {
  const binary = randomBytes(200_000)
  const answers: Readonly<Record<string, RequestListener>> = {
    '/mcp': (request, response) => {
      const hash = createHash('sha256')
      request.on('data', chunk => hash.update(chunk))
      request.on('end', () => {
        const headers = [
          'Content-Type',
          'application/json',
          'X-Two',
          'a',
          'X-Two',
          'b',
          'Set-Cookie',
          'c=d',
          'Set-Cookie',
          'e=f',
        ]
        response.writeHead(207, 'Quite Fine', [...headers, 'X-Request-Hash', hash.digest('hex')])
        const got = request.rawHeaders.filter((name, at) => at % 2 === 0 && name !== 'Connection')
        response.end(JSON.stringify({ got, at: request.url }))
      })
    },
    '/binary': (_, response) => response.end(binary),
    '/zipped': (_, response) =>
      response
        .writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Type': 'application/json' })
        .end(gzipSync('{"zipped":true}')),
    '/none': (_, response) => response.writeHead(204).end(),
    '/broken': (_, response) => {
      response.writeHead(200, { 'Content-Length': '100' })
      response.write('half', () => response.destroy())
    },
    '/events': (_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' })
      response.write('id: 1\r\ndata: {"jsonrpc":"2.0",\r\ndata: "id":1,"result":{}}\r\n\r\nda')
      response.end('ta: 2\n\n: bye\n')
    },
  }
  const listener: RequestListener = (request, response) => {
    const answer = answers[(request.url ?? '').replace(/\?.*$/, '')]
    if (answer === undefined) response.writeHead(404).end('no')
    else answer(request, response)
  }

  test.for([
    [
      'POST',
      '/mcp?a=%20b',
      { 'X-Mixed-Case': 'é', 'Content-Type': 'application/json' },
      randomBytes(100_000),
    ],
    ['POST', '/mcp', { 'Content-Length': '3' }, Buffer.from('{}\n')],
    ['PUT', '/mcp', {}, Buffer.from('x')],
    ['DELETE', '/mcp', { 'Mcp-Session-Id': 'abc' }, undefined],
    ['GET', '/binary', {}, undefined],
    ['HEAD', '/binary', {}, undefined],
    ['GET', '/zipped', { 'Accept-Encoding': 'gzip' }, undefined],
    ['GET', '/none', {}, undefined],
    ['GET', '/broken', {}, undefined],
    ['GET', '/events', {}, undefined],
    ['OPTIONS', '/unknown', {}, undefined],
  ] as const)('passes on %s %s as it is', async ([method, path, headers, body]) => {
    const { url, tap } = await openTap(listener)
    const options = { method, headers, ...(body !== undefined && { body }) }
    const [direct, tapped] = await Promise.all([
      send(url.origin + path, options),
      send(new URL(tap.url).origin + path, options),
    ])
    const comparable = ({ rawHeaders, body: bytes, ...answer }: Answer) => ({
      ...answer,
      body: [bytes.length, createHash('sha256').update(bytes).digest('hex')],
      // Without headers of one connection, and without the time.
      headers: rawHeaders
        .map((value, at) => [rawHeaders[at - 1] ?? '', value])
        .filter(([name = ''], at) => at % 2 === 1 && !/^(?:Date|Connection|Keep-Alive)$/.test(name)),
    })
    expect(comparable(tapped)).toEqual(comparable(direct))
  })

  test('emits requests and answers with their texts, encoded ones too', async () => {
    const { tap, messages } = await openTap(listener)
    const { origin } = new URL(tap.url)
    await send(`${origin}/zipped`)
    await until(() => messages.length === 2)
    await send(`${origin}/events`, { method: 'POST', body: Buffer.from('{"a":1}') })
    await send(`${origin}/broken`)
    await until(() => messages.length >= 8)
    const summary = messages.map(({ exchange, direction, part, text, isCut, http }) =>
      [exchange, direction, part, text, http?.status ?? http?.id, isCut].filter(each => each !== undefined),
    )
    expect(summary).toEqual([
      [1, 'sent', 'request', ''],
      [1, 'received', 'response', '{"zipped":true}', 200],
      [2, 'sent', 'request', '{"a":1}'],
      [2, 'received', 'response', '', 200],
      [2, 'received', 'event', '{"jsonrpc":"2.0",\n"id":1,"result":{}}', '1'],
      [2, 'received', 'event', '2'],
      [3, 'sent', 'request', ''],
      [3, 'received', 'response', 'half', 200, true],
    ])
  })

  test('passes on each event before the stream ends, and ends the stream of a client that goes', async () => {
    let isClosed = false
    const { tap, messages } = await openTap((_, response) => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' }).flushHeaders()
      setTimeout(() => response.write('data: 1\n\n'), 10)
      response.once('close', () => {
        isClosed = true
      })
    })
    const leave = new AbortController()
    const answer = await fetch(tap.url, { signal: leave.signal })
    const first = await answer.body?.getReader().read()
    expect(Buffer.from(first?.value ?? []).toString()).toBe('data: 1\n\n')
    leave.abort()
    await until(() => isClosed)
    expect(messages.at(-1)).toMatchObject({ part: 'event', text: '1' })
  })

  test('adds the query of the address, which the client need not have', async () => {
    const { tap } = await openTap(listener, '/mcp?key=abcdefgh')
    expect(tap.url).not.toContain('key')
    expect(JSON.parse(String((await send(tap.url)).body)).at).toBe('/mcp?key=abcdefgh')
    expect(JSON.parse(String((await send(`${tap.url}?b=1`)).body)).at).toBe('/mcp?b=1')
  })

  test('refuses requests of pages and for other hosts, and records none of them', async () => {
    const { tap, messages } = await openTap(listener)
    for (const headers of [
      { Host: 'evil.example' },
      { Origin: 'https://evil.example' },
      { 'Sec-Fetch-Site': 'cross-site' },
    ])
      expect((await send(tap.url, { headers })).status).toBe(403)
    expect(messages).toEqual([])
  })

  test('answers 502 if the server cannot be reached', async () => {
    const closed = createServer()
    await new Promise<void>(resolve => closed.listen(0, '127.0.0.1', resolve))
    const { port } = closed.address() as AddressInfo
    await new Promise(resolve => closed.close(resolve))
    const messages: EmittedMessage[] = []
    const url = new URL(`http://127.0.0.1:${port}/mcp`)
    const tap = await tapAddress({ url, port: 0, environment: {}, sink: message => messages.push(message) })
    const { status, body } = await send(tap.url, { method: 'POST', body: Buffer.from('{}') })
    await tap.close()
    expect([status, String(body)]).toEqual([502, expect.stringContaining('ECONNREFUSED')])
    expect(messages.map(({ part, http }) => [part, http?.status])).toEqual([
      ['request', undefined],
      ['response', 502],
    ])
    await expect(
      tapAddress({ url, port: await takenPort(), environment: {}, sink: () => {} }),
    ).rejects.toMatchObject({
      code: 'port-taken',
    })
  })
})

function takenPort(): Promise<number> {
  return listenOnce(() => {}, onTestFinished)
}

/** Starts an MCP server and returns its address. */
async function startServer(name: string): Promise<string> {
  const isEverything = name === 'everything'
  const file = isEverything
    ? 'node_modules/@modelcontextprotocol/server-everything/dist/index.js'
    : `server/sources/fixtures/${name}.mjs`
  const port = String(await freePort())
  const words = [resolveInRepository(file), isEverything ? 'streamableHttp' : '--http']
  const child = spawn(process.execPath, words, { env: { ...process.env, PORT: port } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const ready = isEverything ? child.stderr : child.stdout
  for await (const chunk of ready) {
    const [, listening] = /listening (?:on port )?(\d+)/.exec(String(chunk)) ?? []
    if (listening !== undefined) return `http://127.0.0.1:${listening}/mcp`
  }
  throw new Error(`${name} did not start`)
}

async function firstMatch(child: ChildProcess, pattern: RegExp): Promise<string> {
  let text = ''
  for await (const chunk of child.stderr ?? []) {
    text += chunk
    const [, found] = pattern.exec(text) ?? []
    if (found !== undefined) return found
  }
  throw new Error(`it ended before it was ready: ${text}`)
}

const info = { name: 'test', version: '1' }

interface AnyClient {
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

describe('tap of an MCP server over HTTP', () => {
  test.for([
    ['SDK 1', 'everything', '2025-11-25', 'mcp-servers/everything'],
    ['SDK 2', 'mcp-quirks-old', '2025-11-25', 'quirks-old'],
    ['SDK 2', 'mcp-quirks-new', '2026-07-28', 'quirks-new'],
  ] as const)(
    'a client of %s has every call in the file: %s',
    async ([sdk, server, protocol, name], { folder }) => {
      const address = await startServer(server)
      const file = join(folder, 'a.toolrec')
      const [command = '', ...args] = tapWords(file, address, '--listen', '0')
      const tap = spawn(command, args)
      onTestFinished(() => void tap.kill('SIGKILL'))
      const url = new URL(await firstMatch(tap, /ready: (\S+)/))
      let client: AnyClient
      if (sdk === 'SDK 1') {
        const old = new OldClient(info)
        await old.connect(new OldHttp(url) as Parameters<typeof old.connect>[0])
        client = old as unknown as AnyClient
      } else {
        const current = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
        await current.connect(new NewHttp(url))
        client = current as unknown as AnyClient
      }
      const inputs = ['one', 'two'].map(message => ({ message }))
      const results = []
      for (const input of inputs) results.push(await client.callTool({ name: 'echo', arguments: input }))
      await client.close()
      tap.kill('SIGTERM')
      const code = await new Promise(resolve => tap.once('exit', resolve))
      expect(code).toBe(0)
      const { calls, source } = await readTap(file)
      expect(calls.map(({ tool, inputText }) => [tool, JSON.parse(inputText)])).toEqual(
        inputs.map(input => ['echo', input]),
      )
      expect(calls.map(({ answer }) => JSON.parse(answer?.text ?? 'null'))).toMatchObject(
        results.map(result => ({ content: (result as { content: unknown }).content })),
      )
      expect(source).toMatchObject({ transport: 'http', protocol, capabilities: { tools: {} } })
      expect(source?.serverInfo).toMatchObject({ name })
    },
  )
})
