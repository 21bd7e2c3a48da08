/** One real component for each kind of source, and what it is asked in the contract test. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { incurItself, incurProgram, isIncurInstalled } from '../../scripts/incur-fixture.mjs'
import { copyFunctions, freePort, startBeside } from '../../scripts/test-processes.ts'
import { createCaller } from '../calls/call.ts'
import { Catalog } from '../catalog/catalog.ts'
import { bridgeTools, createBridge } from '../http/bridge-app.ts'
import { listenAt } from '../http/listen.ts'
import { mcpSource, type SourceArgument } from '../recognise/detect-source.ts'
import { readMcpJson } from '../recognise/mcp-json.ts'
import { Recorder } from '../replay/testkit.ts'
import { startValidator } from '../workers/validator.ts'
import { resolveInRepository, testContext } from './testkit.ts'

interface TestToolCall {
  readonly tool: string
  readonly input: unknown
}

interface SourceCase {
  readonly name: string
  /** Absent: always. */
  readonly isAvailable?: boolean
  readonly argument: () => SourceArgument
  /** A tool that gives a result. */
  readonly good?: TestToolCall
  /** A tool that goes on until it is stopped. */
  readonly hangs?: TestToolCall
  /** A source of this kind that gives no list. */
  readonly broken: () => SourceArgument
}

const node = process.execPath
const fixture = (name: string) => resolveInRepository(`server/sources/fixtures/${name}.mjs`)
const published = (name: string) =>
  resolveInRepository(`node_modules/@modelcontextprotocol/${name}/dist/index.js`)
const everything = published('server-everything')
const functionsServer = resolveInRepository('node_modules/mcp-llm-functions/index.js')

const folder = mkdtempSync(join(tmpdir(), 'toolscope-contract-'))
const tree = join(folder, 'tree')
const ends: (() => unknown)[] = []
const addresses = { bridge: '', modern: '', legacy: '', oldStream: '' }

/** Starts what is reached by an address, and writes out what is read from a file. */
export async function startComponents(): Promise<void> {
  writeFileSync(join(folder, 'tools.json'), '{"tools":[{"name":"a","inputSchema":{"type":"object"}}]}')
  writeFileSync(join(folder, 'bad.json'), '{"tools":')
  copyFunctions(tree)
  writeRecording(join(folder, 'session.toolrec'))
  const [modern, legacy, oldStream, bridge] = await Promise.all([
    startQuirks(),
    startEverything('streamableHttp'),
    startEverything('sse'),
    startBridge(),
  ])
  Object.assign(addresses, { modern, legacy, oldStream, bridge })
}

export async function stopComponents(): Promise<void> {
  for (const end of ends) await end()
  rmSync(folder, { recursive: true })
}

function writeRecording(file: string): void {
  const recorder = new Recorder(file, 'stdio')
  const exchange = (request: object, result: object) => {
    for (const [direction, message] of [
      ['sent', request],
      ['received', { id: 1, result }],
    ] as const)
      recorder.add({
        direction,
        part: 'message',
        text: JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }),
      })
  }
  const tools = [{ name: 'echo', inputSchema: { type: 'object' } }]
  exchange({ method: 'tools/list' }, { tools })
  const call = { name: 'echo', arguments: { message: 1 } }
  exchange({ method: 'tools/call', params: call }, { content: [{ type: 'text', text: '1' }] })
  recorder.close()
}

async function startQuirks(): Promise<string> {
  const port = await start([fixture('mcp-quirks-new'), '--http'], /listening (\d+)/)
  return `http://127.0.0.1:${port}/mcp`
}

async function startEverything(transport: 'streamableHttp' | 'sse'): Promise<string> {
  // It takes a port by its environment only, and cannot say which one it was given.
  const port = await freePort()
  await start([everything, transport], /on port/, { PORT: String(port) })
  return `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}`
}

async function startBridge(): Promise<string> {
  const file = join(folder, 'mcp.json')
  writeFileSync(
    file,
    JSON.stringify({ mcpServers: { q: { command: node, args: [fixture('mcp-quirks-old')] } } }),
  )
  const catalog = new Catalog(testContext)
  const opened = Promise.all((readMcpJson(file) ?? []).map(each => catalog.sources.open(mcpSource(each))))
  const tools = bridgeTools(catalog, new Set())
  const access = { loopback: true }
  const validator = startValidator()
  const app = createBridge({
    pins: null,
    call: createCaller({ tools: catalog, validator, pins: null }),
    validator,
    access,
    catalog,
    tools,
    opened,
    timeoutMs: 20_000,
    version: 'test',
  })
  const { server, url } = await listenAt(app, '127.0.0.1', 0)
  ends.push(
    () => catalog.close(),
    () => server.closeAllConnections(),
  )
  await opened
  return url
}

/** Resolves with what the program wrote; it is ended with the others. */
async function start(...given: Parameters<typeof startBeside>): Promise<string> {
  const { child, found } = await startBeside(...given)
  ends.push(() => child.kill('SIGKILL'))
  return found
}

const mcp = (...words: string[]): SourceArgument => ['mcp:', node, ...words]
/** mcp-llm-functions leaves each result's file lying about: it gets a folder of its own to do so. */
const functionsMcp = (...words: string[]): SourceArgument => [
  'mcp:',
  'env',
  `TMPDIR=${folder}`,
  node,
  functionsServer,
  ...words,
]
const nowhere = 'http://127.0.0.1:9'
const quirk = { good: { tool: 'echo', input: { message: 1 } }, hangs: { tool: 'hang', input: {} } }
const convert = { amount: 1, from: 'km', to: 'm' }
const everyTool = {
  good: { tool: 'echo', input: { message: 'hi' } },
  hangs: { tool: 'trigger-long-running-operation', input: { duration: 30, steps: 30 } },
}

export const kinds: readonly SourceCase[] = [
  {
    name: 'manifest file',
    argument: () => join(folder, 'tools.json'),
    broken: () => join(folder, 'bad.json'),
  },
  {
    name: 'recording',
    argument: () => join(folder, 'session.toolrec'),
    good: { tool: 'echo', input: { message: 1 } },
    broken: () => `${join(folder, 'session.toolrec')}#other`,
  },
  {
    name: '--llms program',
    argument: () => resolveInRepository('examples/acme/acme.mjs'),
    good: { tool: 'api greet', input: { name: 'Ada' } },
    hangs: { tool: 'ops logs', input: { release: 'r-2291', seconds: 600 } },
    broken: () => [node, fixture('date-broken')],
  },
  {
    name: 'incur program',
    isAvailable: isIncurInstalled(),
    argument: () => [node, incurProgram],
    good: { tool: 'api greet', input: { name: 'Ada' } },
    hangs: { tool: 'count', input: { to: 100_000 } },
    broken: () => [node, '-e', 'console.log("# no list")'],
  },
  {
    name: "incur's own program",
    isAvailable: isIncurInstalled(),
    argument: () => [node, incurItself],
    broken: () => [node, fixture('no-such-file')],
  },
  {
    name: 'incur program over MCP, its tools behind four others',
    isAvailable: isIncurInstalled(),
    argument: () => mcp(incurProgram, '--mcp'),
    good: { tool: 'api_greet', input: { name: 'Ada' } },
    hangs: { tool: 'count', input: { to: 100_000 } },
    broken: () => mcp(fixture('no-such-file')),
  },
  {
    name: 'functions directory',
    argument: () => tree,
    good: { tool: 'convert_units', input: convert },
    hangs: { tool: 'linger', input: {} },
    broken: () => join(folder, 'no-such-tree'),
  },
  {
    name: 'functions directory over mcp-llm-functions',
    argument: () => functionsMcp(tree),
    good: { tool: 'convert_units', input: convert },
    hangs: { tool: 'linger', input: {} },
    broken: () => functionsMcp(),
  },
  {
    name: 'agent over mcp-llm-functions',
    argument: () => functionsMcp(tree, 'garden'),
    good: { tool: 'list_plants', input: {} },
    broken: () => functionsMcp(tree, 'no-such-agent'),
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
  {
    name: 'MCP over HTTP, 2026-07-28',
    argument: () => addresses.modern,
    ...quirk,
    broken: () => `mcp:${nowhere}/mcp`,
  },
  {
    name: 'MCP over HTTP, legacy',
    argument: () => addresses.legacy,
    ...everyTool,
    broken: () => `${addresses.legacy}/no-such-place`,
  },
  {
    name: 'MCP over HTTP+SSE',
    argument: () => addresses.oldStream,
    ...everyTool,
    broken: () => `mcp:${addresses.oldStream}/no-such-place`,
  },
  {
    name: 'bridge',
    argument: () => addresses.bridge,
    good: { tool: 'q_echo', input: { message: 1 } },
    hangs: { tool: 'q_hang', input: {} },
    broken: () => `bridge:${nowhere}`,
  },
  {
    name: 'server-everything',
    argument: () => mcp(everything, 'stdio'),
    ...everyTool,
    broken: () => mcp(everything, 'no-such-mode'),
  },
  {
    name: 'server-filesystem',
    argument: () => mcp(published('server-filesystem'), resolveInRepository('examples')),
    good: { tool: 'list_directory', input: { path: resolveInRepository('examples') } },
    broken: () => mcp(published('server-filesystem'), '/no/such/directory'),
  },
  {
    name: 'server-memory',
    argument: () => mcp(published('server-memory')),
    good: { tool: 'read_graph', input: {} },
    broken: () => mcp('/no/such/server.js'),
  },
]
