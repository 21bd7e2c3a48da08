import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect } from 'vitest'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { program } from '../../scripts/toolscope-program.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { readTap, runStreams, tapWords } from './tap.testkit.ts'

const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')
const node = (code: string) => [process.execPath, '-e', code]

/** Prints the hash of all of stdin to stderr, which a test compares, and every byte of it to stdout. */
const echo = `const h = require('crypto').createHash('sha256'); process.stdin.on('data', d => h.update(d));
  process.stdin.on('end', () => console.error('read', h.digest('hex'))); process.stdin.pipe(process.stdout)`

const streams: readonly (readonly [name: string, command: readonly string[], input: readonly Buffer[]])[] = [
  [
    'broken lines: CRLF, half lines, bytes that are not UTF-8, no line break at the end',
    node(echo),
    ['{"a":1}\r\n\n\r\n{"b', '":2}\n', '\u0000\u2028 no json\nlast']
      .map(Buffer.from)
      .concat([randomBytes(300_000)]),
  ],
  ['a line of 18 MB', node(echo), [Buffer.alloc(18_000_000, 'é'), Buffer.from('\n{}\n')]],
  [
    'a server that does not read, writes on both streams and fails',
    node(
      `process.stdout.write(Buffer.alloc(3e6, 255)); process.stderr.write('é'.repeat(1e5)); process.exitCode = 7`,
    ),
    [Buffer.alloc(1_000_000, 'x')],
  ],
  [
    'a server that ends by a signal',
    node(`process.stdout.write('{', () => process.kill(process.pid, 'SIGKILL'))`),
    [],
  ],
]

describe('tap of a program', () => {
  test.for(streams)('passes on all bytes and the end: %s', async ([, command, input], { folder }) => {
    const file = join(folder, 'a.toolrec')
    const [direct, tapped] = await Promise.all([
      runStreams(command, input),
      runStreams(tapWords(file, '--', ...command), input),
    ])
    expect([tapped.code, tapped.signal]).toEqual([direct.code, direct.signal])
    expect(hash(tapped.stdout)).toBe(hash(direct.stdout))
    const own = tapped.stderr.split(/toolscope tap: .*\n/)
    expect(own).toHaveLength(3)
    expect(own.join('')).toBe(direct.stderr)
    const { messages } = await readTap(file)
    const received = messages.filter(each => each.direction === 'received' && each.part === 'message')
    // Each line break is a byte that no message has.
    const bytes = received.reduce((sum, each) => sum + each.bytes, 0)
    const breaks = direct.stdout.toString('latin1').split('\n').length - 1
    expect(bytes + breaks).toBe(direct.stdout.length)
  })

  test('records lines that are not UTF-8 with their bytes, and stderr by lines', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const command = node(`process.stdout.write(Buffer.from([0x61, 0xff, 0x0a])); console.error('one\\ntwo')`)
    await runStreams(tapWords(file, '--', ...command), [])
    const { messages } = await readTap(file)
    expect(messages.map(({ part, text, base64 }) => [part, text, base64]).sort()).toEqual([
      ['message', 'a\ufffd', 'Yf8='],
      ['stderr', 'one', undefined],
      ['stderr', 'two', undefined],
    ])
  })

  test.runIf(process.platform !== 'win32')(
    'ends the server and its children with the client',
    async ({ folder }) => {
      const file = join(folder, 'a.toolrec')
      // The server ignores the end of stdin and has a child.
      const server = node(`const c = require('child_process').spawn('sleep', ['1000']);
      console.log(JSON.stringify([process.pid, c.pid])); setInterval(() => {}, 1e6)`)
      const start = `require('child_process').spawn(process.argv[1], process.argv.slice(2),
      { stdio: ['pipe', 'inherit', 'inherit'] }); setInterval(() => {}, 1e6)`
      const [command = '', ...args] = [...node(start), ...tapWords(file, '--', ...server)]
      const client = spawn(command, args)
      const pids: number[] = []
      for await (const chunk of client.stdout) {
        pids.push(...JSON.parse(String(chunk)))
        break
      }
      expect(pids.map(isRunning)).toEqual([true, true])
      client.kill('SIGKILL')
      await until(() => !pids.some(isRunning))
      await expect.poll(async () => (await readTap(file)).masked).toBe(0)
    },
  )

  test('passes on SIGTERM, and has the exit code of the server', async ({ folder }) => {
    const file = join(folder, 'a.toolrec')
    const server = node(
      `process.on('SIGTERM', () => process.exit(9)); console.log('ready'); setInterval(() => {}, 1e6)`,
    )
    const [command = '', ...args] = tapWords(file, '--', ...server)
    const child = spawn(command, args)
    child.stdout.once('data', () => child.kill('SIGTERM'))
    const code = await new Promise(resolve => child.once('close', resolve))
    expect(code).toBe(9)
    expect((await readTap(file)).messages).toHaveLength(1)
  })

  test('fails before it starts anything if the file exists, and has exit code 3 without the program', async ({
    folder,
  }) => {
    const file = join(folder, 'a.toolrec')
    const missing = await runStreams(tapWords(file, '--', 'no-such-program-at-all'), [])
    expect(missing).toMatchObject({ code: 3, stderr: expect.stringContaining('No such file or program') })
    const again = await runStreams(tapWords(file, '--', ...node(`console.log('started')`)), [])
    expect(again).toMatchObject({ code: 2, stdout: Buffer.alloc(0) })
    expect(again.stderr).toContain('--force')
    const forced = await runStreams(tapWords(file, '--force', '--', ...node('')), [])
    expect(forced.code).toBe(0)
  })
})

const info = { name: 'test', version: '1' }
const everything = resolveInRepository('node_modules/@modelcontextprotocol/server-everything/dist/index.js')
const modern = resolveInRepository('server/sources/fixtures/mcp-quirks-new.mjs')

interface AnyClient {
  listTools(): Promise<{ tools: readonly unknown[] }>
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}

describe('tap of an MCP server over stdio', () => {
  test.for([
    ['SDK 1', everything, '2025-11-25', 'mcp-servers/everything'],
    ['SDK 2', everything, '2025-11-25', 'mcp-servers/everything'],
    ['SDK 2', modern, '2026-07-28', 'quirks-new'],
  ] as const)(
    'a client of %s has every call in the file: %s',
    async ([sdk, server, protocol, name], { folder }) => {
      // SDK 2 starts a server of the legacy era twice, so each start needs a file of its own.
      const [command = '', ...args] = [process.execPath, program, 'tap', '--', process.execPath, server]
      const parameters = { command, args, stderr: 'ignore' as const, cwd: folder }
      let client: AnyClient
      if (sdk === 'SDK 1') {
        const old = new OldClient(info)
        await old.connect(new OldStdio(parameters))
        client = old as unknown as AnyClient
      } else {
        const current = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
        await current.connect(new NewStdio(parameters))
        client = current as unknown as AnyClient
      }
      const { tools } = await client.listTools()
      const inputs = [{ message: 'one' }, { message: '12345678901234567890 é' }, { message: 'three' }]
      const results = []
      for (const input of inputs) results.push(await client.callTool({ name: 'echo', arguments: input }))
      await client.close()
      const files = () => readdirSync(folder).map(each => join(folder, each))
      await until(() => files().every(each => /"type":"end"/.test(readFileSync(each, 'utf8'))))
      const recordings = await Promise.all(files().map(readTap))
      const { calls, source, messages } = recordings.find(each => each.calls.length > 0) ?? fail()
      const described = recordings.map(each => each.source).find(each => each?.capabilities !== undefined)
      expect(calls.map(({ tool, inputText }) => [tool, JSON.parse(inputText)])).toEqual(
        inputs.map(input => ['echo', input]),
      )
      expect(calls.map(({ answer }) => JSON.parse(answer?.text ?? 'null'))).toMatchObject(
        results.map(withoutExtras),
      )
      expect(source).toMatchObject({ kind: 'mcp-server', transport: 'stdio', protocol })
      expect(described).toMatchObject({ serverInfo: { name }, capabilities: { tools: {} } })
      const listed = messages
        .filter(({ text }) => text.includes('"inputSchema"'))
        .flatMap(({ text }) => JSON.parse(text).result.tools)
      expect(listed).toHaveLength(tools.length)
    },
  )
})

function fail(): never {
  throw new Error('no recording has a call')
}

/** SDK 2 removes what its caller does not need. */
const withoutExtras = (result: unknown) => ({ content: (result as { content: unknown }).content })
