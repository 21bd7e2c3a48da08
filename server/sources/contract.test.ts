/**
 * What every kind of source promises (source.ts), tried on each with real components: the list is stable; an abort
 * ends a call within a second; errors are AppErrors; nothing throws after the first event; nothing is left behind.
 */
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { AppError } from '../../core/errors.ts'
import { createBridge } from '../bridge/bridge-app.ts'
import { bridgeTools } from '../bridge/bridge-tools.ts'
import { Catalog } from '../catalog.ts'
import { listenAt } from '../listen.ts'
import { mcpSource, type SourceArgument } from './index.ts'
import { readMcpJson } from './mcp-json.ts'
import type { Session } from './source.ts'
import { until } from './test-processes.ts'
import { callTool, neverAborted, openSource, projectPath, testContext, toolNamed } from './testkit.ts'

const node = process.execPath
const fixture = (name: string) => projectPath(`server/sources/fixtures/${name}.mjs`)
const published = (name: string) => projectPath(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)
const folder = mkdtempSync(join(tmpdir(), 'toolscope-contract-'))
const ends: (() => unknown)[] = []
/** Ours alone, so that what others do in the usual one is not taken for ours. */
const temporary = mkdtempSync(join(tmpdir(), 'toolscope-contract-tmp-'))

interface Kind {
  readonly name: string
  readonly argument: () => SourceArgument
  /** A tool that gives a result, and its input. */
  readonly good?: { readonly tool: string; readonly input: unknown }
  /** A tool that goes on until it is stopped. */
  readonly hangs?: { readonly tool: string; readonly input: unknown }
  /** A source of this kind that gives no list. */
  readonly broken: () => SourceArgument
}

let bridgeUrl = ''
let httpUrl = ''
const nowhere = 'http://127.0.0.1:9'

beforeAll(async () => {
  vi.stubEnv('TMPDIR', temporary)
  writeFileSync(join(folder, 'tools.json'), '{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}')
  writeFileSync(join(folder, 'bad.json'), '{"tools":')
  writeFileSync(
    join(folder, 'mcp.json'),
    JSON.stringify({ mcpServers: { q: { command: node, args: [fixture('mcp-quirks-old')] } } }),
  )
  const catalog = new Catalog(testContext)
  const opened = Promise.all(
    (readMcpJson(join(folder, 'mcp.json')) ?? []).map(each => catalog.open(mcpSource(each))),
  )
  const access = { loopback: true }
  const tools = bridgeTools(catalog, new Set())
  const app = createBridge({ access, catalog, tools, opened, timeoutMs: 20_000, version: 'test' })
  const { server, url } = await listenAt(app, '127.0.0.1', 0)
  bridgeUrl = url
  ends.push(
    () => catalog.close(),
    () => server.closeAllConnections(),
  )
  const http = spawn(node, [fixture('mcp-quirks-new'), '--http'])
  ends.push(() => http.kill('SIGKILL'))
  for await (const chunk of http.stdout) {
    const port = /listening (\d+)/.exec(String(chunk))?.[1]
    if (port === undefined) continue
    httpUrl = `http://127.0.0.1:${port}/mcp`
    break
  }
  await opened
}, 60_000)

afterAll(async () => {
  for (const end of ends) await end()
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
  rmSync(temporary, { recursive: true })
})

const mcp = (...words: string[]): SourceArgument => ['mcp:', node, ...words]
const quirk = { good: { tool: 'echo', input: { message: 1 } }, hangs: { tool: 'hang', input: {} } }

const kinds: readonly Kind[] = [
  {
    name: 'manifest file',
    argument: () => join(folder, 'tools.json'),
    broken: () => join(folder, 'bad.json'),
  },
  {
    name: '--llms program',
    argument: () => projectPath('examples/acme/acme.mjs'),
    good: { tool: 'api greet', input: { name: 'Ada' } },
    hangs: { tool: 'ops logs', input: { release: 'r-2291', seconds: 600 } },
    broken: () => [node, fixture('date-broken')],
  },
  {
    name: 'MCP over stdio, old SDK',
    argument: () => mcp(fixture('mcp-quirks-old')),
    ...quirk,
    broken: () => mcp('-e', ''),
  },
  {
    name: 'MCP over stdio, new SDK',
    argument: () => mcp(fixture('mcp-quirks-new')),
    ...quirk,
    broken: () => mcp('-e', 'process.exit(3)'),
  },
  { name: 'MCP over HTTP', argument: () => httpUrl, ...quirk, broken: () => `mcp:${nowhere}/mcp` },
  {
    name: 'bridge',
    argument: () => bridgeUrl,
    good: { tool: 'q_echo', input: { message: 1 } },
    hangs: { tool: 'q_hang', input: {} },
    broken: () => `bridge:${nowhere}`,
  },
  {
    name: 'server-everything',
    argument: () => mcp(published('server-everything'), 'stdio'),
    good: { tool: 'echo', input: { message: 'hi' } },
    hangs: { tool: 'trigger-long-running-operation', input: { duration: 30, steps: 30 } },
    broken: () => mcp(published('server-everything'), 'no-such-mode'),
  },
  {
    name: 'server-filesystem',
    argument: () => mcp(published('server-filesystem'), projectPath('examples')),
    good: { tool: 'list_directory', input: { path: projectPath('examples') } },
    broken: () => mcp(published('server-filesystem'), '/no/such/directory'),
  },
  {
    name: 'server-memory',
    argument: () => mcp(published('server-memory')),
    good: { tool: 'read_graph', input: {} },
    broken: () => mcp('/no/such/server.js'),
  },
]

const opened: Session[] = []
afterEach(async () => {
  await Promise.all(opened.splice(0).map(session => session.close()))
})

async function open(argument: SourceArgument): Promise<Session> {
  const session = await openSource(argument)
  opened.push(session)
  return session
}

describe.each(kinds)('$name', kind => {
  it('gives the same list twice', async () => {
    const session = await open(kind.argument())
    const first = await session.manifest(neverAborted())
    expect(first.tools.length).toBeGreaterThan(0)
    expect(await session.manifest(neverAborted())).toEqual(first)
    expect(session.label).not.toBe('')
  })

  it('throws AppErrors where there is no list', async () => {
    const failing = async () => (await open(kind.broken())).manifest(neverAborted())
    await expect(failing()).rejects.toBeInstanceOf(AppError)
  })

  it('may be closed at any time, and twice', async () => {
    const session = await open(kind.argument())
    const reading = session.manifest(neverAborted()).catch(thrown => thrown)
    await session.close()
    await session.close()
    const outcome = await reading
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AppError)
  })

  const { good, hangs } = kind
  it.runIf(good)('calls, and ends with exactly one result', async () => {
    const session = await open(kind.argument())
    const tool = await toolNamed(session, good?.tool ?? '')
    const { events, ending } = await callTool(session, tool, good?.input)
    expect(ending.type).toBe('result')
    expect(events.filter(event => event.type === 'result' || event.type === 'failure')).toHaveLength(1)
  })

  it.runIf(good)(
    'fails without a throw when it is called before the list, in vain, or cancelled',
    async () => {
      const session = await open(kind.argument())
      const tool = await toolNamed(session, good?.tool ?? '')
      const missing = await callTool(session, { ...tool, name: 'no-such-tool-here' }, {})
      expect(missing.ending.type).toBe('failure')
      const cancelled = await callTool(session, tool, good?.input, { signal: AbortSignal.abort() })
      expect(cancelled.ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
      await session.close()
      const closed = await callTool(session, tool, good?.input, { timeoutMs: 2_000 })
      expect(['result', 'failure']).toContain(closed.ending.type)
    },
  )

  it.runIf(hangs)('ends a call within a second of an abort, and goes on', async () => {
    const session = await open(kind.argument())
    const tool = await toolNamed(session, hangs?.tool ?? '')
    const abort = new AbortController()
    const running = callTool(session, tool, hangs?.input, { signal: abort.signal })
    await new Promise(resolve => setTimeout(resolve, 300))
    const aborted = Date.now()
    abort.abort()
    expect((await running).ending).toMatchObject({ type: 'failure', reason: 'cancelled' })
    expect(Date.now() - aborted).toBeLessThan(1_000)
    expect(
      (await callTool(session, await toolNamed(session, good?.tool ?? ''), good?.input)).ending.type,
    ).toBe('result')
  })

  it('leaves no process and no temporary file behind', async () => {
    const before = descendants()
    const session = await openSource(kind.argument())
    await session.manifest(neverAborted())
    if (good) await callTool(session, await toolNamed(session, good.tool), good.input)
    const abort = new AbortController()
    const { signal } = abort
    const hanging = hangs && callTool(session, await toolNamed(session, hangs.tool), hangs.input, { signal })
    const closing = Date.now()
    abort.abort()
    await session.close()
    await hanging
    expect(Date.now() - closing).toBeLessThan(2_000)
    await until(() => descendants() <= before)
    expect(readdirSync(temporary)).toEqual([])
  })
})

/** Running processes below this one, `ps` itself left out. */
function descendants(): number {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,stat=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map(row => row.trim().split(/\s+/))
  const below = new Set([String(process.pid)])
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid = '', parent = '', state = '', name] of rows) {
      if (below.has(pid) || !below.has(parent) || state.startsWith('Z') || name === 'ps') continue
      below.add(pid)
      grown = true
    }
  }
  return below.size - 1
}
