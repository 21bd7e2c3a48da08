/** `toolscope token`, with a server of the built program. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { promisify } from 'node:util'
import { expect, onTestFinished, vi } from 'vitest'
import type { SourceEntry } from '../../core/api/source-entry.ts'
import type { SourceState } from '../../core/api/sources.ts'
import { type CopyContext, curlApi, fetchTypescript, toolscopeCall } from '../../core/prompt/copy-as.ts'
import { program, startToolscope } from '../../scripts/toolscope-program.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

const rawServer = resolveInRepository('server/sources/fixtures/mcp-raw.mjs')
const given = '0123456789abcdef0123'

test('toolscope token: prints the token that the running server accepts, and tells when it has stopped', async ({
  folder,
}) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const running = await startToolscope([], folder, environment)
  const read = (...words: string[]) => runCommandLine(['token', ...words], { directory: folder, environment })
  expect(await read(running.origin)).toEqual({ code: 0, stdout: `${running.token}\n`, stderr: '' })
  expect(JSON.parse((await read(`${running.origin}/tools?token=x`, '--json')).stdout)).toEqual({
    address: running.origin,
    token: running.token,
  })
  // A data directory without a server's token, and another token.
  const other = { directory: folder, environment: { TOOLSCOPE_DATA_DIR: join(folder, 'other') } }
  const refused = await runCommandLine(['token', running.origin], other)
  expect(refused).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('has another token') })
  await running.stop()
  const stopped = await read(running.origin)
  expect(stopped).toMatchObject({ code: 3, stdout: '' })
  expect(stopped.stderr).toContain(`No Toolscope server answers: no server answers at ${running.origin}`)
})

test('toolscope token: prints the token that the user gave to the server', async ({ folder }) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), TOOLSCOPE_TOKEN: given }
  const running = await startToolscope([], folder, environment)
  const { stdout } = await runCommandLine(['token', running.origin], { directory: folder, environment })
  expect(stdout).toBe(`${given}\n`)
  await running.stop()
})

test('toolscope token: sends nothing to another machine, and trusts no other program', async ({ folder }) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), TOOLSCOPE_TOKEN: given }
  const read = (address: string) => runCommandLine(['token', address], { directory: folder, environment })
  for (const address of [
    'http://tools.example.com',
    'https://127.0.0.1:4477',
    'http://127.0.0.1.example.com',
    '4477',
  ])
    expect(await read(address), address).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining('is not the address of a server on this machine'),
    })
  const server = createServer((_request, answer) => answer.end('{}'))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const other = await read(`http://127.0.0.1:${port}`)
  server.close()
  expect(other).toMatchObject({ code: 3, stdout: '', stderr: expect.stringContaining('is not Toolscope') })
})

test('toolscope token: neither sends nor prints the token if another program has the port', async ({
  folder,
}) => {
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), TOOLSCOPE_TOKEN: given }
  const running = await startToolscope([], folder, environment)
  const received: string[] = []
  /** Answers each request with what Toolscope answers on its own port. */
  const relay = createServer(async (request, answer) => {
    received.push(JSON.stringify([request.url, request.rawHeaders]))
    const { authorization = '' } = request.headers
    const passed = await fetch(`${running.origin}${request.url}`, { headers: { authorization } })
    answer.writeHead(passed.status, { 'content-type': 'application/json' }).end(await passed.text())
  })
  await new Promise<void>(resolve => relay.listen(0, '127.0.0.1', resolve))
  const { port } = relay.address() as AddressInfo
  const read = await runCommandLine(['token', `http://127.0.0.1:${port}`], { directory: folder, environment })
  relay.close()
  await running.stop()
  expect(read).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('has another token') })
  expect(received).toEqual([expect.stringContaining('/api/health?nonce=')])
  expect(received.join()).not.toContain(given)
})

/** Writes the command `toolscope`, which runs the built program. */
function writeCommand(bin: string): void {
  mkdirSync(bin)
  const script = `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`
  writeFileSync(join(bin, 'toolscope'), script, { mode: 0o755 })
}

test('copied lines: curl, TypeScript and toolscope call run in any folder, without a variable', async ({
  folder,
}) => {
  const [project, elsewhere, bin] = ['project', 'elsewhere', 'bin'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [project, elsewhere]) mkdirSync(each)
  writeCommand(bin)
  const mcpServers = { raw: { command: process.execPath, args: [rawServer, 'stdio'] } }
  writeFileSync(join(project, 'mcp.json'), JSON.stringify({ mcpServers }))
  const tools = JSON.stringify({ tools: [{ name: 'greet', inputSchema: { type: 'object' } }] })
  const greeter = `console.log(process.argv.includes('--llms') ? ${JSON.stringify(tools)} : process.argv.at(-1))`
  writeFileSync(join(project, 'acme.mjs'), greeter)
  const data = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const running = await startToolscope(['./acme.mjs', 'mcp.json'], project, data)
  const { PATH, HOME } = process.env
  const run = (file: string, words: readonly string[]) =>
    promisify(execFile)(file, words, { cwd: elsewhere, env: { PATH: `${bin}:${PATH}`, HOME, ...data } })
  const { sources } = (await (await running.request('/api/sources')).json()) as { sources: SourceState[] }
  const createContext = (ref: string, name: string, input: string): CopyContext => {
    const source = sources.find(each => ref.startsWith(`${each.name}/`))
    if (source === undefined) throw new Error(`no source of ${ref}`)
    const tool = { ref, source: source.name, name, inputSchema: {} }
    return { tool, source, input, variables: {}, origin: running.origin }
  }
  const greet = createContext('acme/greet', 'greet', '{"name":"Ada"}')
  expect((await run('sh', ['-c', curlApi(greet) ?? ''])).stdout).toContain('Ada')
  const script = fetchTypescript(greet) ?? ''
  expect((await run(process.execPath, ['--input-type=module', '-e', script])).stdout).toContain('Ada')
  expect((await run('sh', ['-c', toolscopeCall(greet) ?? ''])).stdout).toContain('Ada')
  const fine = createContext('raw/fine', 'fine', '{}')
  expect((await run('sh', ['-c', toolscopeCall(fine) ?? ''])).stderr).toContain('✓ raw/fine')
  await running.stop()
})

/** Starts an MCP server that refuses requests without the header `Authorization: Bearer <secret>`. */
async function startGuardedServer(secret: string): Promise<string> {
  const results: Readonly<Record<string, unknown>> = {
    initialize: {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'guarded', version: '1' },
    },
    'tools/list': { tools: [{ name: 'open', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: 'opened' }] },
  }
  const server = createServer(async (request, response) => {
    const { id, method } = JSON.parse((await text(request)) || '{}')
    const isKnown = request.headers.authorization === `Bearer ${secret}`
    const isNotice = request.method === 'POST' && id === undefined
    const result = isKnown ? results[method] : undefined
    const status = !isKnown ? 403 : isNotice ? 202 : result === undefined ? 404 : 200
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(result === undefined ? '' : JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  onTestFinished(() => server.closeAllConnections())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test('copied lines: toolscope call gives the headers and the directory of a source, and no secret', async ({
  folder,
}) => {
  const [elsewhere, bin] = [join(folder, 'elsewhere'), join(folder, 'bin')]
  mkdirSync(join(folder, 'tree', 'bin'), { recursive: true })
  mkdirSync(elsewhere)
  writeCommand(bin)
  const tools = JSON.stringify([{ name: 'tell', inputSchema: { type: 'object' } }])
  const told = `process.argv.includes('--llms') ? ${JSON.stringify(tools)} : process.cwd()`
  writeFileSync(join(elsewhere, 'far.mjs'), `console.log(${told})`)
  writeFileSync(join(folder, 'tree', 'functions.json'), '[{"name":"tell","parameters":{"type":"object"}}]')
  const tellTool =
    "#!/usr/bin/env node\nrequire('node:fs').writeFileSync(process.env.LLM_OUTPUT, process.cwd())\n"
  writeFileSync(join(folder, 'tree', 'bin', 'tell'), tellTool, { mode: 0o755 })
  const [secret, data] = ['hunter2-hunter2', { TOOLSCOPE_DATA_DIR: join(folder, 'data') }]
  const url = await startGuardedServer(secret)
  const headers = { Authorization: `Bearer ${secret}` }
  const running = await startToolscope(['./tree', url, '-H', `Authorization: Bearer ${secret}`], folder, data)
  const add = async (name: string, entry: SourceEntry) =>
    expect((await running.request('/api/sources', { name, entry })).status).toBe(201)
  await add('typed', { url, headers })
  await add('pasted', { mcp: { url, headers } })
  await add('far', { line: 'node far.mjs', directory: 'elsewhere' })
  const sources = await vi.waitFor(async () => {
    const set = await running.request('/api/sources/tree/directory', { directory: elsewhere }, 'PUT')
    const listed = (await (await running.request('/api/sources')).json()) as { sources: SourceState[] }
    expect([set.status, listed.sources.map(({ status }) => status)]).toEqual([200, Array(5).fill('ready')])
    return listed.sources
  })
  const { PATH, HOME } = process.env
  const run = (line: string, variables: NodeJS.ProcessEnv) => {
    const env = { PATH: `${bin}:${PATH}`, HOME, ...data, ...variables }
    return promisify(execFile)('sh', ['-c', line], { cwd: bin, env })
  }
  const copy = (source: SourceState | undefined, name: string) => {
    if (source === undefined) throw new Error(`no source with ${name}`)
    const tool = { ref: `${source.name}/${name}`, source: source.name, name, inputSchema: {} }
    return toolscopeCall({ tool, source, input: '{}', variables: {}, origin: running.origin }) ?? ''
  }
  const guarded = sources.filter(({ kind }) => kind === 'mcp-server')
  expect(guarded).toHaveLength(3)
  for (const source of guarded) {
    const line = copy(source, 'open')
    expect(line).not.toContain(secret)
    expect((await run(line, { AUTHORIZATION: secret })).stdout, line).toContain('opened')
    await expect(run(line, {}), line).rejects.toMatchObject({
      stderr: expect.stringMatching(/AUTHORIZATION: .*not set/),
    })
  }
  for (const name of ['far', 'tree']) {
    const line = copy(
      sources.find(each => each.name === name),
      'tell',
    )
    expect((await run(line, {})).stdout, line).toContain(elsewhere)
  }
  await running.stop()
})
