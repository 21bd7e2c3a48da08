/** What every face of the program owes a call: its version and no secret in history, and no process after a cancel. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client, InMemoryTransport } from '@modelcontextprotocol/client'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { StoredInvocation } from '../../core/api/history.ts'
import type { InvocationOrigin } from '../../core/api/history-filters.ts'
import type { Json } from '../../core/json/json.ts'
import { scriptToolCommands } from '../../core/script/script-tools.ts'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { Catalog } from '../catalog/catalog.ts'
import { runExample } from '../checks/run-example.ts'
import { callCommand } from '../commands/call.ts'
import { TypedText } from '../commands/typed-text.ts'
import { History } from '../history/history.ts'
import { bridgeTools, createBridge } from '../http/bridge-app.ts'
import { listenAt } from '../http/listen.ts'
import { invocationRoutes, RunningCalls } from '../http/routes/invocations.ts'
import { createHono } from '../http/serve-endpoints.ts'
import { Emitter } from '../process/events.ts'
import { configuredSource } from '../recognise/detect-source.ts'
import { mcpFactory } from '../serve-mcp/mcp-factory.ts'
import type { SourceNotification } from '../serve-mcp/pass-notifications.ts'
import { scriptedFactory } from '../serve-mcp/scripted-factory.ts'
import { resolveInRepository, testContext } from '../sources/testkit.ts'
import { listInvocations } from '../store/invocation-list.ts'
import { getInvocation } from '../store/invocations.ts'
import type { Store } from '../store/store.ts'
import { sqlite, type TestDatabase } from '../store/testkit.ts'
import { snapshotsOfCalls } from '../versions/describe-snapshot.ts'
import { startValidator } from '../workers/validator.ts'
import { type Caller, createCaller } from './call.ts'
import { runCatalogScript } from './script-runner.ts'

const notifications = new Emitter<SourceNotification>()

const command = [process.execPath, resolveInRepository('server/sources/fixtures/secret-program.mjs')]
const environment = { API_TOKEN: 'environment-s3cret' }
const folder = mkdtempSync(join(tmpdir(), 'toolscope-callers-'))
const validator = startValidator()
let database: TestDatabase
let store: Store
let history: History
let catalog: Catalog
let call: Caller

beforeAll(async () => {
  database = await sqlite.create()
  store = await database.open()
  history = new History(store)
  catalog = new Catalog(testContext)
  await catalog.sources.open(configuredSource({ command }, { name: 'six', environment }, {}))
  const asker = { environment: process.env, signal: new AbortController().signal }
  const versions = snapshotsOfCalls(catalog.sources, store, asker)
  call = createCaller({ tools: catalog, validator, pins: null, record: { history, versions } })
  writeFileSync(
    join(folder, 'toolscope.json'),
    JSON.stringify({ sources: { six: { command, environment } } }),
  )
})

afterAll(async () => {
  await catalog.close()
  await validator.close()
  await history.close()
  await database.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** Calls a tool and waits for its end; the signal is the way this face is cancelled. */
type Face = (tool: 'repeat' | 'hang', input: Record<string, string>, signal: AbortSignal) => Promise<unknown>

const post = (input: unknown, signal: AbortSignal) => ({
  method: 'POST',
  body: JSON.stringify(input),
  headers: { 'content-type': 'application/json' },
  signal,
})

const page: Face = async (tool, input, signal) => {
  const routes = invocationRoutes({
    catalog,
    validator,
    callFor: () => call,
    running: new RunningCalls(validator),
  })
  const answer = await routes.request(
    '/api/invocations',
    post({ ref: `six/${tool}`, input, options: { origin: 'page' } }, signal),
  )
  const reader = answer.body?.getReader()
  signal.addEventListener('abort', () => void reader?.cancel())
  for (;;) if ((await reader?.read())?.done !== false) return
}

/** Where a command runs that says nothing. */
const quietContext = (signal: AbortSignal) => ({
  directory: folder,
  environment: { ...process.env, ...database.environment },
  say: () => {},
  write: () => {},
  readStdin: () => Promise.resolve(''),
  signal,
})

const commandLine: Face = async (tool, input, signal) => {
  await callCommand.run(
    { tool: `six/${tool}`, sources: [], input, accept: [], trust: true },
    quietContext(signal),
  )
}

const script: Face = async (tool, input, signal) => {
  const words = Object.entries(input).map(([name, value]) => `--${name} '${value}'`)
  const running = await runCatalogScript({
    script: `${tool} ${words.join(' ')}`,
    names: scriptToolCommands(catalog.tools.list()),
    call,
    validator,
    confirmed: 'all',
    onEvent: () => {},
  })
  signal.addEventListener('abort', running.cancel)
  await running.ended
}

const example: Face = (tool, input, signal) => {
  const seen = catalog.tools.get(`six/${tool}`)
  const run = { tool: seen, example: { name: 'one', input: input as Json }, environment: {}, signal }
  return runExample(run, { catalog, call, validator })
}

const mcp: Face = async (name, input, signal) => {
  const served = { catalog, call, timeoutMs: 60_000, opened: Promise.resolve(), notifications }
  const selection = { agents: 'all', agentToolsOnly: false } as const
  const factory = mcpFactory({ ...served, pins: null, allowDestructive: true, variables: {}, selection })
  await askMcp(factory.build('legacy'), { name, arguments: input }, signal)
}

const scriptedMcp: Face = async (tool, input, signal) => {
  const served = { catalog, call, validator, timeoutMs: 60_000, opened: Promise.resolve(), notifications }
  const factory = scriptedFactory({ ...served, pins: null, allowDestructive: true })
  const words = Object.entries(input).map(([name, value]) => `--${name} '${value}'`)
  const request = { name: 'run_script', arguments: { script: `${tool} ${words.join(' ')}` } }
  await askMcp(factory.build('legacy'), request, signal)
}

async function askMcp(
  server: ReturnType<ReturnType<typeof mcpFactory>['build']>,
  request: { name: string; arguments: Record<string, unknown> },
  signal: AbortSignal,
): Promise<void> {
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = new Client({ name: 'test', version: '1' })
  await Promise.all([server.connect(theirs), client.connect(ours)])
  await client.callTool(request, { signal }).catch(() => {})
}

const bridge: Face = async (tool, input, signal) => {
  const app = createBridge({
    pins: null,
    call,
    validator,
    access: { loopback: true },
    catalog,
    tools: bridgeTools(catalog, new Set()),
    opened: Promise.resolve(),
    timeoutMs: 60_000,
    version: 'test',
  })
  const { server, url } = await listenAt(app, '127.0.0.1', 0)
  await fetch(`${url}/tools/six_${tool}`, post(input, signal))
    .then(answer => answer.text())
    .catch(() => {})
  server.closeAllConnections()
  server.close()
}

const faces: readonly (readonly [string, InvocationOrigin, Face, verdict: string])[] = [
  ['the page', 'page', page, 'valid'],
  ['the command line', 'command line', commandLine, 'valid'],
  ['a script', 'script', script, 'valid'],
  ['an example', 'check', example, 'valid'],
  ['the MCP server', 'mcp', mcp, 'unchecked'],
  ['the MCP server for scripts', 'script', scriptedMcp, 'valid'],
  ['the bridge', 'bridge', bridge, 'unchecked'],
]

/** The newest call of an origin, once history has its end. */
async function newest(
  origin: InvocationOrigin,
  tool: string,
  before: Set<string>,
): Promise<StoredInvocation> {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    await history.flush()
    const { invocations } = await listInvocations(store, { origin, tool: `six/${tool}` }, { limit: 50 })
    const found = invocations.find(({ id, outcome }) => outcome !== 'unfinished' && !before.has(id))
    const stored = found && (await getInvocation(store, found.id))
    if (stored) {
      before.add(stored.id)
      return stored
    }
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  throw new Error('history has no such call')
}

const seen = new Set<string>()

describe.each(faces)('call by %s', (_name, origin, face, verdict) => {
  it('is in history with its version and without its secrets; a cancel ends its process', async () => {
    await face('repeat', { name: 'Ada', token: 'input-s3cret' }, new AbortController().signal)
    const done = await newest(origin, 'repeat', seen)
    expect(done).toMatchObject({
      snapshotId: expect.stringMatching(/^six@\d+$/),
      outcome: 'ok',
      verdict,
      inputVerdict: verdict,
      inputMasked: true,
      secretMarker: '•••',
    })
    expect(JSON.parse(done.inputText)).toEqual({ name: 'Ada', token: '•••' })
    const text = JSON.stringify(done)
    expect(text).toContain('Ada: ••• •••')
    expect(text).not.toMatch(/s3cret/)

    const file = join(folder, `pid-${origin}-${seen.size}`)
    const abort = new AbortController()
    const running = face('hang', { file }, abort.signal)
    await until(() => existsSync(file) && readFileSync(file, 'utf8') !== '')
    const pid = Number(readFileSync(file, 'utf8'))
    expect(isRunning(pid)).toBe(true)
    abort.abort()
    await until(() => !isRunning(pid))
    await running
    expect(await newest(origin, 'hang', seen)).toMatchObject({ outcome: 'cancelled' })
  })
})

it('call of any origin: refuses input that is not valid JSON with its line and column, and records no call', async () => {
  const calls = async () => {
    await history.flush()
    return (await listInvocations(store, {}, { limit: 1000 })).invocations.length
  }
  const before = await calls()
  const app = createHono().route(
    '/',
    invocationRoutes({ catalog, validator, callFor: () => call, running: new RunningCalls(validator) }),
  )
  const inputText = '\n{"name": "Ada",}'
  const where = `line 2, column 16: Quoted object key expected but got '}'`
  const { signal } = new AbortController()
  for (const path of ['/api/invocations', '/api/validate']) {
    const answer = await app.request(path, post({ ref: 'six/repeat', inputText }, signal))
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({
      error: {
        code: 'input-invalid',
        title: 'The input is not JSON',
        detail: where,
        hint: expect.stringContaining('{"name":"Ada"}'),
      },
    })
  }
  const typed = { tool: 'six/repeat', sources: [], input: new TypedText(inputText), trust: true }
  await expect(callCommand.run(typed, quietContext(signal))).rejects.toMatchObject({
    code: 'input-invalid',
    detail: where,
  })
  expect(await calls()).toBe(before)
})
