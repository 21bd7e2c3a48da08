/** Every kind of source open at once in one program: each is ready and called, killed while it works, and ended. */
import type { ChildProcess } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { incurMissing, incurProgram, isIncurInstalled } from '../scripts/incur-fixture.mjs'
import { project } from '../scripts/project.mjs'
import { copyFunctions, freePort, limitNow, processesWith, startBeside } from '../scripts/test-processes.ts'
import { acme, program, type Running, startToolscope } from '../scripts/toolscope-program.ts'
import { expectNoViolations } from './support/axe.ts'
import { expect, publishedServer, testServed } from './support/toolscope.ts'

const node = process.execPath
const quirks = project('server/sources/fixtures/mcp-quirks-new.mjs')

interface Served extends Running {
  /** Servers that are reached by their address: started next to the program, not by it. */
  readonly bridge: ChildProcess
  readonly http: ChildProcess
}

async function serve(folder: string): Promise<Served> {
  const env = { E2E_MARK: folder }
  copyFunctions(join(folder, 'functions'))
  const json = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value))
    return join(folder, name)
  }
  const servers = {
    everything: { command: node, args: [publishedServer('server-everything'), 'stdio'], env },
    filesystem: { command: node, args: [publishedServer('server-filesystem'), folder], env },
  }
  const behind = json('behind.mcp.json', { mcpServers: { quirks: { command: node, args: [quirks] } } })
  const port = await freePort()
  const [bridge, http] = await Promise.all([
    startBeside([program, 'bridge', behind, '--port', '0'], /ready: (\S+)/),
    startBeside([publishedServer('server-everything'), 'streamableHttp'], /on port/, { PORT: String(port) }),
  ])
  const running = await startToolscope(
    [
      `node ${acme}`,
      `node ${incurProgram}`,
      join(folder, 'functions'),
      json('mcp.json', { mcpServers: servers }),
      `http://127.0.0.1:${port}/mcp`,
      bridge.found,
      json('tools.json', { tools: [{ name: 'to-look-at', inputSchema: { type: 'object' } }] }),
    ],
    folder,
    { ...env, LLM_MCP_NEED_CONFIRM: 'clear_garden' },
  )
  return {
    ...running,
    bridge: bridge.child,
    http: http.child,
    async stop() {
      await running.stop()
      bridge.child.kill('SIGTERM')
      http.child.kill('SIGKILL')
    },
  }
}

const test = testServed(serve)
// One program for all: the tests go on from one another.
test.describe.configure({ mode: 'serial' })
test.skip(!isIncurInstalled(), incurMissing)

interface State {
  readonly name: string
  readonly kind: string
  readonly status: string
  readonly toolCount: number
}

async function sourcesOf(served: Served): Promise<readonly State[]> {
  return (await (await served.request('/api/sources')).json()).sources
}

/** The sources that are named by their address. */
async function names(served: Served): Promise<{ http: string; bridge: string }> {
  const found = await sourcesOf(served)
  const named = (kind: string) =>
    found.find(each => each.kind === kind && /:\d+$/.test(each.name))?.name ?? ''
  return { http: named('mcp-server'), bridge: named('bridge-url') }
}

interface CallEvent {
  readonly type: string
  readonly reason?: string
}

interface StartedCall {
  /** Those that have come so far. */
  readonly events: readonly CallEvent[]
  readonly ending: Promise<CallEvent & { readonly at: number }>
}

async function* eventsOf(response: Response): AsyncGenerator<CallEvent> {
  let text = ''
  for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const lines = `${text}${chunk}`.split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) yield JSON.parse(line)
  }
}

function startCall(served: Served, ref: string, input: unknown = {}): StartedCall {
  const events: CallEvent[] = []
  const ending = (async () => {
    for await (const event of eventsOf(await served.request('/api/invocations', { ref, input })))
      events.push(event)
    return { ...(events.at(-1) ?? { type: 'none' }), at: Date.now() }
  })()
  return { events, ending }
}

const lastEvent = (served: Served, ref: string, input: unknown = {}) => startCall(served, ref, input).ending

/** By the list, so that the page is loaded once. */
async function openTool(page: Page, ref: string) {
  await page.getByTestId('catalog-search').fill(ref.split('/').at(-1) ?? '')
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

test('all sources: become ready at once, and a tool of each callable source answers', async ({
  page,
  served,
}) => {
  // Eight programs and servers start, and seven tools are called one after the other.
  test.slow()
  await page.goto(served.urlOf('/sources'))
  // Only rows in sight are drawn, and long paths make them high.
  await page.setViewportSize({ width: 1440, height: 1800 })
  await expect(page.getByRole('row').filter({ hasText: 'ready' })).toHaveCount(8)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto(served.urlOf('/'))
  const { http, bridge } = await names(served)
  const calls: readonly [string, Record<string, string>, string][] = [
    ['acme/api greet', { name: 'Ada' }, 'Ada'],
    ['incur-program/api greet', { name: 'Grace' }, 'Grace'],
    ['functions/word_stats', { text: 'one two one' }, 'one'],
    ['everything/echo', { message: 'by pipe' }, 'by pipe'],
    [`${http}/echo`, { message: 'by address' }, 'by address'],
    ['filesystem/list_directory', { path: served.serverFolder }, 'tools.json'],
    [`${bridge}/quirks_echo`, {}, ''],
  ]
  for (const [ref, fields, answer] of calls) {
    const result = await callOnPage(page, ref, fields)
    await expect(page.getByTestId('result-status'), ref).toContainText('done')
    await expect(result, ref).toContainText(answer)
  }
  await openTool(page, 'tools/to-look-at')
  await expect(page.getByText('View only: its source')).toBeVisible()
})

test('confirmation: names the rule that asks before a call, and shows the variables that are sent with it', async ({
  page,
  served,
}) => {
  await page.goto(served.urlOf('/'))
  const ref = 'functions/garden clear_garden'
  await openTool(page, ref)
  await page.getByTestId('call-button').click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('LLM_MCP_NEED_CONFIRM asks before this tool.')
  await expect(dialog.getByRole('region', { name: 'Variables' })).toContainText('Bergen')
  await expectNoViolations(page, 'confirmation with variables')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByTestId('result-status')).toHaveCount(0)
})

test('all sources: fail their call within two seconds when they are killed, and the other calls go on', async ({
  served,
}) => {
  const { http, bridge } = await names(served)
  const long = { duration: 60, steps: 600 }
  const calls = new Map<string, StartedCall>()
  const start = (name: string, ref: string, input: unknown = {}) =>
    calls.set(name, startCall(served, ref, input))
  start('acme', 'acme/ops logs', { release: 'r-2291', seconds: 600 })
  start('incur-program', 'incur-program/count', { to: 100_000 })
  start('linger', 'functions/linger')
  start('server-everything', 'everything/trigger-long-running-operation', long)
  start('http', `${http}/trigger-long-running-operation`, long)
  start('bridge', `${bridge}/quirks_hang`)
  const ours = () => processesWith(served.serverFolder).filter(each => each.pid !== served.process.pid)
  const find = (word: string) => ours().find(each => each.command.includes(word))?.pid
  // All are at work: the two that write nothing by their process and by their first event.
  const outputOf = (name: string) =>
    calls.get(name)?.events.filter(({ type }) => type !== 'started' && type !== 'input-validation') ?? []
  for (const name of ['acme', 'incur-program', 'server-everything', 'http'])
    await expect.poll(() => outputOf(name).length, { message: name }).toBeGreaterThan(0)
  await expect.poll(() => find('linger')).toBeDefined()
  await expect.poll(() => calls.get('bridge')?.events[0]?.type).toBe('started')
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
    const ending = await calls.get(name)?.ending
    expect(ending, name).toMatchObject({ type: 'failure' })
    expect((ending?.at ?? 0) - killed, name).toBeLessThan(limitNow(2_000))
    calls.delete(name)
    const still = await Promise.race([
      ...[...calls.values()].map(call => call.ending),
      Promise.resolve('running'),
    ])
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

test('source page: stops or closes a source of each local kind, and starts or opens it again', async ({
  page,
  served,
}) => {
  const about = page.getByRole('region', { name: 'Source', exact: true })
  const status = (word: string) => about.getByText(word, { exact: true })
  const tools = about.getByRole('button', { name: 'Show only its tools' })
  const kinds = [
    ['acme', 'Stop', 'stopped', 'Start'],
    ['functions', 'Close', 'closed', 'Open'],
    ['filesystem', 'Stop', 'stopped', 'Start'],
    ['tools', 'Close', 'closed', 'Open'],
  ] as const
  for (const [name, stop, stopped, start] of kinds) {
    await page.goto(served.urlOf(`/?about=${name}`))
    await about.getByRole('button', { name: stop, exact: true }).click()
    await expect(status(stopped)).toBeVisible()
    await expect(tools).toHaveCount(0)
    await about.getByRole('button', { name: start, exact: true }).click()
    await expect(status('ready')).toBeVisible()
    await expect(tools).toBeVisible()
  }
})

test('all sources: leave no process behind when the program ends during their calls', async ({ served }) => {
  const started = [
    lastEvent(served, 'acme/ops logs', { release: 'r-2291', seconds: 600 }),
    lastEvent(served, 'functions/linger'),
    lastEvent(served, 'everything/trigger-long-running-operation', { duration: 60, steps: 600 }),
  ].map(each => each.catch(() => undefined))
  await expect.poll(() => processesWith(served.serverFolder).length).toBeGreaterThanOrEqual(5)
  await served.stop()
  await Promise.all(started)
  expect(processesWith(served.serverFolder)).toEqual([])
})
