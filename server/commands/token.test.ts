/** `toolscope token`, with a server of the built program. */
import { execFile } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, vi } from 'vitest'
import type { SourceState } from '../../core/api/sources.ts'
import type { CopyContext } from '../../core/prompt/copy-input.ts'
import { curlApi, fetchTypescript, toolscopeCall } from '../../core/prompt/recipes.ts'
import { program, startToolscope } from '../../scripts/toolscope-program.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

// A test starts the program.
vi.setConfig({ testTimeout: 120_000 })

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

test('copied lines: curl, TypeScript and toolscope call run in any folder, without a variable', async ({
  folder,
}) => {
  const [project, elsewhere, bin] = ['project', 'elsewhere', 'bin'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const each of [project, elsewhere, bin]) mkdirSync(each)
  writeFileSync(join(bin, 'toolscope'), `#!/bin/sh\nexec '${process.execPath}' '${program}' "$@"\n`, {
    mode: 0o755,
  })
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
