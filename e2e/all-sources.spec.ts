/** Every kind of source open at once in one program: each is ready and called, killed while it works, and ended. */
import { type ChildProcess, spawn } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expectNoViolations } from './support/axe.ts'
import { processesWith } from './support/processes.ts'
import { test as base, expect, project, type Running, startToolscope } from './support/toolscope.ts'

const node = process.execPath
const published = (name: string) => project(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)
const quirks = project('server/sources/fixtures/mcp-quirks-new.mjs')

interface Served extends Running {
  readonly folder: string
  /** Servers that are reached by their address: started beside the program, not by it. */
  readonly bridge: ChildProcess
  readonly http: ChildProcess
}

async function serve(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-all-'))
  const env = { E2E_MARK: folder }
  plantTree(join(folder, 'functions'))
  const json = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  const servers = {
    everything: { command: node, args: [published('server-everything'), 'stdio'], env },
    filesystem: { command: node, args: [published('server-filesystem'), folder], env },
  }
  const behind = json('behind.mcp.json', { mcpServers: { quirks: { command: node, args: [quirks] } } })
  const port = await freePort()
  const [bridge, http] = await Promise.all([
    startBeside([project('dist/server/main.js'), 'bridge', behind, '--port', '0'], /ready: (\S+)/),
    startBeside([published('server-everything'), 'streamableHttp'], /on port/, { PORT: String(port) }),
  ])
  const running = await startToolscope(
    [
      `node ${project('examples/acme/acme.mjs')}`,
      `node ${project('server/sources/fixtures/incur-program.mjs')}`,
      join(folder, 'functions'),
      json('mcp.json', { mcpServers: servers }),
      `http://127.0.0.1:${port}/mcp`,
      bridge.found,
      json('tools.json', { tools: [{ name: 'to-look-at', inputSchema: { type: 'object' } }] }),
    ],
    folder,
    { ...process.env, ...env, LLM_MCP_NEED_CONFIRM: 'clear_garden' },
  )
  return { ...running, folder, bridge: bridge.child, http: http.child }
}

/** The example, and one function that goes on until it is stopped. */
function plantTree(tree: string): void {
  cpSync(project('examples/functions'), tree, { recursive: true })
  const list = join(tree, 'functions.json')
  const linger = { name: 'linger', description: 'Wait.', parameters: { type: 'object', properties: {} } }
  writeFileSync(list, JSON.stringify([...JSON.parse(readFileSync(list, 'utf8')), linger]))
  writeFileSync(join(tree, 'bin/linger'), '#!/bin/sh\nsleep 600 &\nwait\n')
  chmodSync(join(tree, 'bin/linger'), 0o755)
}

function startBeside(words: string[], pattern: RegExp, environment = {}) {
  const child = spawn(node, words, { env: { ...process.env, ...environment } })
  return new Promise<{ child: ChildProcess; found: string }>((resolve, reject) => {
    let text = ''
    child.once('exit', code => reject(new Error(`ended with ${code}: ${text}`)))
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', chunk => {
        text += chunk
        const found = pattern.exec(text)
        if (found !== null) resolve({ child, found: found[1] ?? '' })
      })
  })
}

function freePort(): Promise<number> {
  const server = createServer()
  return new Promise(resolve => {
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo
      server.close(() => resolve(port))
    })
  })
}

// One program for all: the tests go on from one another.
base.describe.configure({ mode: 'serial' })

const test = base.extend<object, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the parameter's shape.
    async ({}, use) => {
      const served = await serve()
      await use(served)
      await served.stop()
      served.bridge.kill('SIGTERM')
      served.http.kill('SIGKILL')
      rmSync(served.folder, { recursive: true, force: true })
    },
    { scope: 'worker' },
  ],
})

interface State {
  readonly name: string
  readonly kind: string
  readonly status: string
  readonly toolCount: number
}

async function ask(served: Served, path: string, body?: unknown): Promise<Response> {
  const headers = { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' }
  return fetch(`${served.origin}${path}`, {
    headers,
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
}

async function sourcesOf(served: Served): Promise<readonly State[]> {
  return (await (await ask(served, '/api/sources')).json()).sources
}

/** The sources that are named by their address. */
async function names(served: Served): Promise<{ http: string; bridge: string }> {
  const found = await sourcesOf(served)
  const named = (kind: string) =>
    found.find(each => each.kind === kind && /:\d+$/.test(each.name))?.name ?? ''
  return { http: named('mcp-server'), bridge: named('bridge-url') }
}

async function lastEvent(served: Served, ref: string, input: unknown = {}) {
  const lines = (await (await ask(served, '/api/invocations', { ref, input })).text()).trim().split('\n')
  return JSON.parse(lines.at(-1) ?? '{}')
}

/** By the list, so that the page is loaded once. */
async function openTool(page: Page, ref: string) {
  await page.getByRole('searchbox').fill(ref.split('/').at(-1) ?? '')
  await page.locator(`[data-testid="catalog-row"][data-tool="${ref}"]`).click()
  await expect(page.getByTestId('tool-form')).toBeVisible()
}

async function callOnPage(page: Page, ref: string, fields: Record<string, string>) {
  await openTool(page, ref)
  for (const [name, value] of Object.entries(fields))
    await page.getByTestId('tool-form').getByRole('textbox', { name, exact: true }).fill(value)
  await page.getByTestId('call-button').click()
  return page.getByTestId('result-view')
}

test('all are ready, and a tool of each answers', async ({ page, served }) => {
  // Eight programs and servers start, and seven tools are called one after the other.
  test.slow()
  await page.goto(served.url)
  await expect(page.getByRole('navigation', { name: 'Sources' }).getByRole('button')).toHaveCount(8)
  await expect(page.getByRole('button', { name: /^\S+ is ready, \d+ tools$/ })).toHaveCount(8)
  const { http, bridge } = await names(served)
  const calls: readonly [string, Record<string, string>, string][] = [
    ['acme/api greet', { name: 'Ada' }, 'Ada'],
    ['incur-program/api greet', { name: 'Grace' }, 'Grace'],
    ['functions/word_stats', { text: 'one two one' }, 'one'],
    ['everything/echo', { message: 'by pipe' }, 'by pipe'],
    [`${http}/echo`, { message: 'by address' }, 'by address'],
    ['filesystem/list_directory', { path: served.folder }, 'tools.json'],
    [`${bridge}/quirks_echo`, {}, ''],
  ]
  for (const [ref, fields, answer] of calls) {
    const result = await callOnPage(page, ref, fields)
    await expect(page.getByTestId('result-status'), ref).toContainText('done', { timeout: 15_000 })
    await expect(result, ref).toContainText(answer)
  }
  await openTool(page, 'tools/to-look-at')
  await expect(page.getByText('View only: its source')).toBeVisible()
})

test('a rule asks before a call, and shows the variables that go with it', async ({ page, served }) => {
  await page.goto(served.url)
  const ref = 'functions/garden clear_garden'
  await openTool(page, ref)
  await page.getByTestId('call-button').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('LLM_MCP_NEED_CONFIRM asks before this tool.')
  await expect(dialog.getByRole('region', { name: 'Variables' })).toContainText('Bergen')
  await expectNoViolations(page, 'confirmation with variables')
  await dialog.getByRole('button', { name: 'Keep it back' }).click()
  await expect(page.getByTestId('result-status')).toHaveCount(0)
})

test('each that is killed while it works fails within two seconds, and the others go on', async ({
  served,
}) => {
  const { http, bridge } = await names(served)
  const long = { duration: 60, steps: 600 }
  const running = new Map<string, Promise<{ at: number; type: string; reason?: string }>>()
  const start = (name: string, ref: string, input: unknown = {}) =>
    running.set(
      name,
      lastEvent(served, ref, input).then(event => ({ ...event, at: Date.now() })),
    )
  start('acme', 'acme/ops logs', { release: 'r-2291', seconds: 600 })
  start('incur-program', 'incur-program/count', { to: 100_000 })
  start('linger', 'functions/linger')
  start('server-everything', 'everything/trigger-long-running-operation', long)
  start('http', `${http}/trigger-long-running-operation`, long)
  start('bridge', `${bridge}/quirks_hang`)
  const ours = () => processesWith(served.folder).filter(each => each.pid !== served.process.pid)
  const find = (word: string) => ours().find(each => each.command.includes(word))?.pid
  for (const name of ['acme', 'incur-program', 'linger', 'server-everything'])
    await expect.poll(() => find(name), { message: name }).toBeDefined()
  // All are at work now.
  await new Promise(resolve => setTimeout(resolve, 700))
  const killers: readonly (readonly [string, () => unknown])[] = [
    ...['acme', 'incur-program', 'linger', 'server-everything'].map(
      name => [name, () => process.kill(find(name) ?? Number.NaN, 'SIGKILL')] as const,
    ),
    ['http', () => served.http.kill('SIGKILL')],
    ['bridge', () => served.bridge.kill('SIGKILL')],
  ]
  for (const [name, kill] of killers) {
    const killed = Date.now()
    kill()
    const ending = await running.get(name)
    expect(ending, name).toMatchObject({ type: 'failure' })
    expect((ending?.at ?? 0) - killed, name).toBeLessThan(2_000)
    running.delete(name)
    const still = await Promise.race([...running.values(), Promise.resolve('running')])
    expect(still, `after ${name}`).toBe('running')
    expect(await lastEvent(served, 'filesystem/list_allowed_directories'), name).toMatchObject({
      type: 'result',
    })
  }
  // What a killed program had started has gone with it.
  await expect.poll(() => ours().filter(each => /sleep 600|bin\/linger/.test(each.command))).toEqual([])
  // A program and a server of our own are there again for the next call.
  expect(await lastEvent(served, 'acme/api greet', { name: 'Ada' })).toMatchObject({ type: 'result' })
  expect(await lastEvent(served, 'everything/echo', { message: 'back' })).toMatchObject({ type: 'result' })
})

test('every source can be stopped or closed, and comes back', async ({ page, served }) => {
  await page.goto(served.url)
  const about = page.getByRole('region', { name: 'Source', exact: true })
  const kinds = [
    ['acme', 'Stop', 'stopped', 'Start'],
    ['functions', 'Close', 'closed', 'Open'],
    ['filesystem', 'Stop', 'stopped', 'Start'],
    ['tools', 'Close', 'closed', 'Open'],
  ] as const
  for (const [name, stop, stopped, start] of kinds) {
    await page.getByRole('button', { name: new RegExp(`^${name} is ready`) }).click()
    await about.getByRole('button', { name: stop, exact: true }).click()
    await expect(page.getByRole('button', { name: `${name} is ${stopped}, 0 tools` })).toBeVisible()
    await about.getByRole('button', { name: start, exact: true }).click()
    await expect(page.getByRole('button', { name: new RegExp(`^${name} is ready`) })).toBeVisible()
  }
})

test('when the program ends while all work, nothing of it is left', async ({ served }) => {
  const started = [
    lastEvent(served, 'acme/ops logs', { release: 'r-2291', seconds: 600 }),
    lastEvent(served, 'functions/linger'),
    lastEvent(served, 'everything/trigger-long-running-operation', { duration: 60, steps: 600 }),
  ].map(each => each.catch(() => undefined))
  await expect.poll(() => processesWith(served.folder).length).toBeGreaterThanOrEqual(5)
  await served.stop()
  await Promise.all(started)
  expect(processesWith(served.folder)).toEqual([])
})
