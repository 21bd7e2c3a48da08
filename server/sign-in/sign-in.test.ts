/** Sign-ins with real parts: the built program, an MCP server that wants a token, and oidc-provider before it. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import type { SourceState } from '../../core/api/sources.ts'
import { project } from '../../scripts/project.mjs'
import { program, type Running, runToolscope, startToolscope } from '../../scripts/toolscope-program.ts'
import { test as folderTest } from '../testing/folder-test.ts'

interface Seen {
  readonly tokens: readonly string[]
  readonly issuer: string
  readonly revoked: number
  readonly registered: number
  readonly refreshed: number
  readonly calls: number
}

const test = folderTest.extend<{ remote: { url: string; control(what: string): Promise<Seen> } }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the names of the fixtures from a pattern
  remote: async ({}, use) => {
    const child = spawn(process.execPath, [project('server/sources/fixtures/oauth-server.mjs')])
    const url = await new Promise<string>((resolve, reject) => {
      child.once('exit', code => reject(new Error(`the OAuth server ended with ${code}`)))
      child.stdout.on('data', text => {
        const found = /listening (\S+)/.exec(String(text))?.[1]
        if (found !== undefined) resolve(found)
      })
    })
    const control = async (what: string) => (await fetch(new URL(`/control/${what}`, url))).json()
    await use({ url, control })
    child.kill('SIGKILL')
  },
})

/** Follows an address as a browser does, cookies and the one form included, and gives the last page. */
async function browse(address: string): Promise<{ url: string; status: number; text: string }> {
  const cookies = new Map<string, string>()
  let [url, method] = [address, 'GET']
  for (;;) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { method, redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      cookies.set(name, value)
    }
    const next = response.headers.get('location')
    const text = await response.text()
    if (next === null && !text.includes('<form')) return { url, status: response.status, text }
    ;[url, method] = next === null ? [url, 'POST'] : [new URL(next, url).href, 'GET']
  }
}

const json = async (response: Promise<Response>) => (await response).json()

async function sourceOf(toolscope: Running): Promise<SourceState> {
  const { sources } = await json(toolscope.request('/api/sources'))
  return sources[0]
}

async function signIn(toolscope: Running, name: string) {
  const { url } = await json(toolscope.request(`/api/sources/${name}/sign-in`, {}))
  return { url: new URL(url), page: await browse(url) }
}

async function call(toolscope: Running, ref: string, input = {}) {
  const lines = await (await toolscope.request('/api/invocations', { ref, input })).text()
  return JSON.parse(lines.trim().split('\n').at(-1) ?? '')
}

/** Every byte that the program keeps. */
function kept(folder: string): string {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => join(folder, name))
  return files.map(file => (statSync(file).isFile() ? readFileSync(file, 'latin1') : '')).join('\n')
}

describe('sign-in to an MCP server', () => {
  test('works through call, renewal, restart, more scopes and sign-out, and leaves no token anywhere', async ({
    folder,
    remote,
  }) => {
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), CI: '1' }
    mkdirSync(environment.TOOLSCOPE_DATA_DIR)
    const serve = (words: string[] = []) => startToolscope(words, folder, environment)
    let toolscope = await serve()

    // What only waits for a sign-in is kept in the list, though it cannot be opened yet.
    const added = await json(toolscope.request('/api/sources', { input: remote.url }))
    expect(added).toMatchObject({ status: 'failed', signIn: 'needed', error: { code: 'sign-in-needed' } })
    const { name } = added
    expect((await remote.control('seen')).registered).toBe(0)

    const { url, page } = await signIn(toolscope, name)
    expect(page).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in') })
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      code_challenge_method: 'S256',
      resource: remote.url,
      redirect_uri: `${toolscope.origin}/sign-in/callback`,
      scope: 'tools:read offline_access',
    })
    expect(await sourceOf(toolscope)).toMatchObject({ status: 'ready', signIn: 'done', toolCount: 3 })
    // The same answer once more: its state is used up.
    expect((await fetch(page.url)).status).toBe(401)
    expect(await call(toolscope, `${name}/read`)).toMatchObject({
      type: 'result',
      content: [{ text: 'read was called' }],
    })

    // Ten calls meet the end of the token at once: it is renewed once.
    await remote.control('expire')
    const calls = await Promise.all(Array.from({ length: 10 }, () => call(toolscope, `${name}/read`)))
    expect(calls.map(ending => ending.type)).toEqual(Array.from({ length: 10 }, () => 'result'))
    expect((await remote.control('seen')).refreshed).toBe(1)

    // A number that parsing rounds: after the renewal the call is sent with the input that it was given.
    await remote.control('expire')
    const input = { id: 98_765_432_109_876_540_000 }
    expect(await call(toolscope, `${name}/read`, input)).toMatchObject({
      type: 'result',
      structuredContent: input,
    })

    await toolscope.stop()
    toolscope = await serve([remote.url])
    expect(await sourceOf(toolscope)).toMatchObject({ status: 'ready', signIn: 'done' })
    expect(await call(toolscope, `${name}/echo-token`)).toMatchObject({ type: 'result' })
    expect((await remote.control('seen')).registered).toBe(1)
    // The command line has the same sign-in.
    const listed = await runToolscope(['list', remote.url], { directory: folder, environment })
    expect([listed.code, listed.stderr]).toEqual([0, ''])

    // A tool that wants more than was granted.
    const { calls: before } = await remote.control('seen')
    expect(await call(toolscope, `${name}/write`)).toMatchObject({
      reason: 'sign-in-needed',
      message: expect.stringContaining('tools:write'),
    })
    expect(await sourceOf(toolscope)).toMatchObject({ status: 'degraded', signIn: 'needed', toolCount: 3 })
    const more = await signIn(toolscope, name)
    expect(more.url.searchParams.get('scope')?.split(' ').sort()).toEqual([
      'offline_access',
      'tools:read',
      'tools:write',
    ])
    expect(await call(toolscope, `${name}/write`)).toMatchObject({ content: [{ text: 'write was called' }] })
    expect((await remote.control('seen')).calls).toBe(before + 2)

    // Renewed in the middle of a call that prints its token.
    await remote.control('expire')
    expect(await call(toolscope, `${name}/echo-token`)).toMatchObject({ type: 'result' })

    const history = await (await toolscope.request('/api/history/export')).text()
    expect(history).toContain('echo-token')
    const log = await (await toolscope.request(`/api/sources/${name}/log`)).text()
    const exported = await runToolscope(['export', remote.url, '-o', join(folder, 'site')], {
      directory: folder,
      environment,
    })
    expect([exported.code, exported.stderr]).toEqual([0, expect.any(String)])

    // A server that refuses the token that it has just given.
    await remote.control('refuse')
    expect(await call(toolscope, `${name}/read`)).toMatchObject({
      reason: 'sign-in-needed',
      message: expect.stringContaining('refuses the renewed token'),
    })
    expect(await sourceOf(toolscope)).toMatchObject({ signIn: 'needed', error: { code: 'sign-in-needed' } })
    await remote.control('accept')

    // Ended at the authorization server: the sign-in cannot be renewed.
    await remote.control('revoke')
    expect(await call(toolscope, `${name}/read`)).toMatchObject({ reason: 'sign-in-needed' })
    await signIn(toolscope, name)
    expect(await sourceOf(toolscope)).toMatchObject({ status: 'ready', signIn: 'done' })

    const { revoked } = await remote.control('seen')
    const out = await json(toolscope.request(`/api/sources/${name}/sign-out`, {}))
    expect(out).toMatchObject({ status: 'failed', signIn: 'needed' })
    const { tokens, revoked: after } = await remote.control('seen')
    expect(after).toBeGreaterThan(revoked)
    const said = toolscope.stderr()
    await toolscope.stop()

    const key = join(environment.TOOLSCOPE_DATA_DIR, 'secret.key')
    expect(statSync(key).mode & 0o777).toBe(0o600)
    const everything = [kept(folder), history, log, said, listed.stdout, exported.stderr].join('\n')
    expect(tokens.length).toBeGreaterThan(8)
    expect(tokens.filter(token => everything.includes(token))).toEqual([])
  })

  test('works in a terminal: a command prints the address, waits for the browser, and then lists the tools', async ({
    folder,
    remote,
  }) => {
    const environment = { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, 'data'), CI: '1', NO_COLOR: '1' }
    mkdirSync(environment.TOOLSCOPE_DATA_DIR)
    // Python's pty gives the program a terminal of its own.
    const inTerminal = 'import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))'
    const argv = [process.execPath, program, 'list', remote.url]
    const child = spawn('python3', ['-c', inTerminal, ...argv], { cwd: folder, env: environment })
    let screen = ''
    child.stdout.on('data', text => {
      screen += String(text)
    })
    const ended = new Promise(resolve => child.once('close', resolve))
    try {
      const findAddress = () => /^(https?:\S+state=\S+)\r?$/m.exec(screen)?.[1]
      await vi.waitFor(() => expect(findAddress(), screen).toBeDefined(), { timeout: 30_000 })
      expect(screen).toContain('wants you to sign in')
      const page = await browse(findAddress() ?? '')
      expect(page.status).toBe(200)
      expect(await ended).toBe(0)
      expect(screen).toMatch(/Signed in to .*echo-token/s)
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('makes a command without a terminal exit 6', async ({ folder, remote }) => {
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
    const run = (...words: string[]) =>
      runToolscope([...words, remote.url], { directory: folder, environment })
    for (const words of [['list'], ['call', 'read']]) {
      const { code, stderr } = await run(...words)
      expect([words, code, stderr]).toEqual([words, 6, expect.stringContaining('Sign-in needed')])
    }
  })

  test('is not started when the configuration has a token, which is sent instead', async ({ folder }) => {
    const seen: (string | undefined)[] = []
    const server = createServer((request, response) => {
      seen.push(request.headers.authorization)
      response.writeHead(401, { 'www-authenticate': 'Bearer' }).end()
    })
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), MY_TOKEN: 'a-token-of-mine-0123456789' }
    const remote = { url, headers: { Authorization: `Bearer \${env:MY_TOKEN}` } }
    const write = (name: string, value: unknown) => writeFileSync(join(folder, name), JSON.stringify(value))
    write('toolscope.json', { sources: { remote: { mcp: remote } } })
    write('mcp.json', { mcpServers: { remote } })
    for (const words of [['--trust'], ['mcp.json']]) {
      const { code, stderr } = await runToolscope(['list', ...words], { directory: folder, environment })
      expect([words, code, stderr]).toEqual([words, 3, expect.stringContaining('wants credentials')])
      expect(stderr).not.toContain('a-token-of-mine')
    }
    rmSync(join(folder, 'toolscope.json'))
    const toolscope = await startToolscope([], folder, environment)
    const added = await toolscope.request('/api/sources', { entry: remote })
    expect([added.status, await added.text()]).toEqual([502, expect.stringContaining('wants credentials')])
    await toolscope.stop()
    server.closeAllConnections()
    server.close()
    expect(seen.length).toBeGreaterThan(2)
    expect(new Set(seen)).toEqual(new Set(['Bearer a-token-of-mine-0123456789']))
  })
})
