/** The environment, the headers and the directory of sources that a command line names. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

/** Answers with its environment and its directory, both ways: with --llms, or as an MCP server over stdio. */
const program = `
import { createInterface } from 'node:readline'
const tool = { name: 'tell', inputSchema: { type: 'object' } }
const told = JSON.stringify({ environment: process.env, directory: process.cwd() })
if (process.argv.includes('--llms')) console.log(JSON.stringify({ tools: [tool] }))
else if (process.argv.includes('--json')) console.log(told)
else
  createInterface({ input: process.stdin }).on('line', line => {
    const { id, method } = JSON.parse(line)
    const results = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'told', version: '1' } },
      'tools/list': { tools: [tool] },
      'tools/call': { content: [{ type: 'text', text: told }] },
    }
    if (id === undefined) return
    const answer = results[method] ? { result: results[method] } : { error: { code: -32601, message: 'unknown' } }
    console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })
`
/** The same without an answer to --llms. */
const server = program.replaceAll(/process\.argv\.includes\('--\w+'\)/g, 'false')
const treeTool = `#!/usr/bin/env node
require('node:fs').writeFileSync(process.env.LLM_OUTPUT, JSON.stringify({ environment: process.env, directory: process.cwd() }))
`

function writeSources(folder: string): void {
  writeFileSync(join(folder, 'program.mjs'), program)
  writeFileSync(join(folder, 'server.mjs'), server)
  writeFileSync(join(folder, 'words.mjs'), server)
  mkdirSync(join(folder, 'tree', 'bin'), { recursive: true })
  mkdirSync(join(folder, 'elsewhere'))
  writeFileSync(join(folder, 'elsewhere', 'far.mjs'), program)
  writeFileSync(join(folder, 'tree', 'functions.json'), '[{"name":"tell","parameters":{"type":"object"}}]')
  writeFileSync(join(folder, 'tree', 'bin', 'tell'), treeTool, { mode: 0o755 })
  writeFileSync(
    join(folder, 'mcp.json'),
    JSON.stringify({
      mcpServers: { one: { command: 'node', args: ['server.mjs'], env: { GIVEN: 'by the file' } } },
    }),
  )
}

const ours = {
  TOOLSCOPE_TOKEN: 'secret-of-ours-1',
  TOOLSCOPE_DATABASE_URL: undefined,
  TOOLSCOPE_INPUT_KEY: 'secret-of-ours-2',
  Toolscope_Other: 'secret-of-ours-3',
}

async function tell(folder: string, args: readonly string[]) {
  const environment = { ...ours, EXPORTED: 'by the shell', TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const run = await runCommandLine(args, { directory: folder, environment })
  expect(run.stdout + run.stderr).not.toContain('secret-of-ours')
  expect([run.code, run.stderr]).toEqual([0, expect.any(String)])
  return JSON.parse(run.stdout) as { environment: NodeJS.ProcessEnv; directory: string }
}

test.for<readonly string[]>([
  ['call', 'tell', 'node program.mjs'],
  ['call', 'tell', 'node', '--', 'program.mjs'],
  ['call', 'tell', 'node server.mjs'],
  ['call', 'tell', 'node words.mjs'],
  ['call', 'tell', 'mcp:node server.mjs'],
  ['call', 'tell', '--', 'node', 'server.mjs'],
  ['call', 'tell', 'tree'],
])('programEnvironment: an exported variable reaches toolscope %j', async (args, { folder }) => {
  writeSources(folder)
  const { environment } = await tell(folder, args)
  expect(environment.EXPORTED).toBe('by the shell')
  expect(Object.keys(environment).filter(name => /^toolscope_(?!mark)/i.test(name))).toEqual([])
})

test('programEnvironment: a server of a file gets what the file names and no other variable of the shell', async ({
  folder,
}) => {
  writeSources(folder)
  const { environment } = await tell(folder, ['call', 'tell', 'mcp.json'])
  expect(environment).toMatchObject({ GIVEN: 'by the file', PATH: process.env.PATH })
  expect(environment.EXPORTED).toBeUndefined()
})

test.for<readonly string[]>([
  ['call', 'tell', 'node program.mjs', '-e', 'GIVEN=a=b c', '--env', 'OTHER=2'],
  ['call', 'tell', '-e', 'GIVEN=a=b c', '--env=OTHER=2', 'mcp.json'],
  ['call', 'tell', '-e', 'GIVEN=a=b c', '-e', 'OTHER=2', 'mcp.json#one'],
  ['call', 'tell', '-e', 'GIVEN=a=b c', '-e', 'OTHER=2', 'tree'],
  ['call', 'tell', '--', 'GIVEN=a=b c', 'OTHER=2', 'node', 'server.mjs'],
  ['call', 'tell', `GIVEN='a=b c' OTHER=2 node server.mjs`],
])('call: gives variables to the program: %j', async (args, { folder }) => {
  writeSources(folder)
  const { environment } = await tell(folder, args)
  expect(environment).toMatchObject({ GIVEN: 'a=b c', OTHER: '2' })
})

test('call: gives variables to the sources of toolscope.json', async ({ folder }) => {
  writeSources(folder)
  const sources = { one: { mcp: { command: ['node', 'server.mjs'], env: { GIVEN: 'by the file' } } } }
  writeFileSync(join(folder, 'toolscope.json'), JSON.stringify({ sources }))
  for (const args of [
    ['call', 'tell', '--trust', '-e', 'GIVEN=1'],
    ['call', 'tell', 'one', '--trust', '-e', 'GIVEN=1'],
  ])
    expect((await tell(folder, args)).environment.GIVEN, args.join(' ')).toBe('1')
})

test.for([
  [['call', 'tell', 'tree', '--cwd', 'elsewhere']],
  [['call', 'tell', 'node far.mjs', '--cwd', 'elsewhere']],
  [['call', 'tell', './far.mjs', '--cwd', 'elsewhere']],
  [['call', 'tell', 'mcp:node far.mjs', '--cwd', 'elsewhere']],
] as const)('call: runs the program in the directory of --cwd: %j', async ([args], { folder }) => {
  writeSources(folder)
  expect((await tell(folder, args)).directory).toBe(join(folder, 'elsewhere'))
})

test('call: masks the value of a secret that -e gives', async ({ folder }) => {
  writeFileSync(join(folder, 'fails.mjs'), 'console.error(process.env.API_KEY); process.exit(1)')
  const args = ['list', 'node fails.mjs', '-e', 'API_KEY=hunter2-hunter2']
  const { code, stderr } = await runCommandLine(args, { directory: folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining('•••')])
  expect(stderr).not.toContain('hunter2')
})

test('list: sends the headers of -H to an MCP server, and to a manifest that diff reads', async ({
  folder,
}) => {
  const seen = new Set<string>()
  const listening = createServer((request, response) => {
    seen.add(`${request.url} ${request.headers.authorization} ${request.headers['x-team']}`)
    const isManifest = request.url === '/tools.json'
    response.writeHead(isManifest ? 200 : 404, { 'content-type': 'application/json' })
    response.end(isManifest ? '{"tools":[]}' : '{}')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => listening.closeAllConnections())
  onTestFinished(() => void listening.close())
  await new Promise(resolve => listening.once('listening', resolve))
  const origin = `http://127.0.0.1:${(listening.address() as AddressInfo).port}`
  const headers = ['-H', 'Authorization: Bearer hunter2-hunter2', '--header', 'X-Team: a: b']
  const listed = await runCommandLine(['list', `${origin}/mcp`, ...headers], { directory: folder })
  expect(listed.code).toBe(3)
  expect(listed.stderr).not.toContain('hunter2')
  const manifest = `${origin}/tools.json`
  const compared = await runCommandLine(['diff', manifest, manifest, ...headers], { directory: folder })
  expect(compared.code).toBe(0)
  expect([...seen].sort()).toEqual([
    '/mcp Bearer hunter2-hunter2 a: b',
    '/tools.json Bearer hunter2-hunter2 a: b',
  ])
})

test.for([
  [['list', 'node', '-e', '1 + 1'], '-e, --env is "1 + 1", and must be NAME=VALUE', 'node -- -e …'],
  [['list', 'node', '-e', '=1'], '-e, --env is "=1"'],
  [['list', 'localhost:1', '-H', 'Bearer x'], '-H, --header is "Bearer x", and must be NAME: VALUE'],
  [['list', 'node', '--cwd', 'nowhere'], '--cwd: ', 'is not a directory'],
  [['diff', '--git', 'a', 'b', '--cwd', '.', '--', 'node'], '--cwd cannot be combined with --git'],
] as const)('toolscope: refuses %j', async ([args, ...said], { folder }) => {
  const { code, stderr } = await runCommandLine(args, { directory: folder })
  expect([code, stderr]).toEqual([2, expect.stringContaining(said[0])])
  for (const text of said) expect(stderr).toContain(text)
})
