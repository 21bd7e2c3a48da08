/** What a command line says when a source cannot be opened: the reason first, then what was written, then what to do. */

import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { test } from '../testing/folder-test.ts'
import { commandNames } from './index.ts'
import { runCommandLine } from './testkit.ts'

const needsKey = `
if (process.env.DEMO_KEY === undefined) {
  console.error('DEMO_KEY environment variable is required')
  process.exit(1)
}
console.error('demo server running on stdio')
`
/** Refuses every option, and says as an MCP server what it lacks. */
const strict = `
if (process.argv.length > 2) {
  console.error('error: unknown option ' + process.argv[2])
  process.exit(2)
}
console.error('CONFIG is not set')
process.exit(1)
`
/** Finishes the handshake of MCP and refuses its list. */
const refuses = `
if (process.argv.includes('--llms')) process.exit(7)
process.stdin.on('data', text => {
  for (const line of String(text).trim().split('\\n')) {
    const { id, method } = JSON.parse(line)
    const result = { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'r', version: '1' } }
    const answer = method === 'initialize' ? { result } : { error: { code: -32603, message: 'the licence has expired' } }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }
})
`
const rpcError = `
process.stdin.on('data', text => {
  for (const line of String(text).trim().split('\\n')) {
    const { id, method } = JSON.parse(line)
    const results = {
      initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'r', version: '1' } },
      'tools/list': { tools: [{ name: 'get', inputSchema: { type: 'object' } }] },
    }
    const error = { code: -32000, message: 'no such pod\\n  in default\\n  in kube', data: { pods: ['a'] } }
    const answer = results[method] ? { result: results[method] } : { error }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  }
})
`
/** Starts a program that leaves a file, so that a test sees whether it ran. */
const starts = { command: 'node', args: ['-e', 'require("node:fs").writeFileSync("started", "")'] }
const whole = JSON.stringify({ mcpServers: { one: starts } })
const files: Readonly<Record<string, string>> = {
  'needs-key.mjs': needsKey,
  'needs-key-mcp.mjs': needsKey,
  'strict.mjs': strict,
  'refuses.mjs': refuses,
  'rpc.mjs': rpcError,
  'silent.mjs': 'process.exit(1)',
  'well.mjs': '',
  'cut.json': whole.slice(0, -3),
  'cut-mcp.json': whole.slice(0, 40),
  'cut.toml': '[mcp_servers.one]\ncommand = "node"\nargs = ["-e", "1"',
  'cut-manifest.json': '{"tools": [{"name": "one"',
  'half.json': `{"mcpServers": {"one": ${JSON.stringify(starts)}`,
  'wrong.json': '{"mcpServers": {"one": {"comand": "node"}}}',
  'html.json': '<!doctype html><html><body>Sign in</body></html>',
  'empty.json': '',
}

type Row = readonly [line: string, code: number, ...said: (string | RegExp)[]]

const rows: readonly Row[] = [
  // The reason, what was written and by which attempt, the other attempt in one line.
  [
    'list|node needs-key.mjs',
    3,
    /Couldn’t load tools: .*--llms ended with exit code 1\n {2}It wrote, asked with --llms:\n {2}\| DEMO_KEY .*required\n {2}Also tried as an MCP server: [^\n]*\(code 1\)[^\n]*\n {2}Run its command/,
  ],
  [
    'list|node needs-key-mcp.mjs',
    3,
    /Couldn’t load tools: .*\(code 1\) during the MCP handshake\n {2}It wrote, asked as an MCP server:\n {2}\| DEMO_KEY .*required\n {2}Also tried with --llms: /,
  ],
  [
    'list|node strict.mjs',
    3,
    /\(code 1\) during the MCP handshake\n.*\n {2}\| CONFIG is not set\n {2}Also tried with --llms/,
  ],
  ['list|node refuses.mjs', 3, /licence has expired\n {2}Also tried with --llms: [^\n]*exit code 7/],
  [
    'list|--|node|needs-key.mjs',
    3,
    /during the MCP handshake\n {2}\| DEMO_KEY .*required\n {2}Check its command/,
  ],
  ['list|node silent.mjs', 3, /ended with exit code 1\n {2}Also tried/],
  ['list|--|node|silent.mjs', 3, /\(code 1\) during the MCP handshake\n {2}Check its command/],
  ['list|node well.mjs', 3, 'The output is empty'],
  ['list|no-such-program', 3, 'No such file or program: no-such-program'],
  ['list|./missing.mjs', 3, 'No such file or program', 'missing.mjs'],
  // Cut texts: the place where they end, and nothing starts.
  ['list|cut.json', 3, /cut\.json:1: the JSON breaks off at column \d+\n {2}Fix the file/],
  ['list|cut-mcp.json', 3, /cut-mcp\.json:1: the JSON breaks off at column \d+\n/],
  ['list|half.json', 3, 'half.json:1: the JSON breaks off at column'],
  ['list|cut.json#one', 3, 'cut.json:1: the JSON breaks off at column'],
  ['list|cut.toml', 3, 'cut.toml:3: '],
  ['bridge|cut.json|--port|0', 2, 'cut.json:1: the JSON breaks off at column'],
  ['list|cut-manifest.json', 3, 'The JSON breaks off at line 1, column 26'],
  ['list|empty.json', 3, 'empty.json is empty'],
  // A file's error names that file.
  ['list|wrong.json', 3, /wrong\.json: the entry "one" has neither/, 'Fix this entry of the file.'],
  ['list|html.json', 3, 'html.json is a web page, not JSON'],
  // A command without a source, a tool or an example.
  ['list', 2, 'no source was named', 'Name one: toolscope list <program or manifest.json>.'],
  ['call|greet', 2, 'no source was named', 'Name one: toolscope call <tool> <program or manifest.json>.'],
  ['help|nosuch', 2, 'help: unknown tool: nosuch'],
  ['check|--|node|rpc.mjs', 2, 'There is no example to check.', 'Save one: ', '--allow-empty'],
  ['check|--allow-empty|--|node|rpc.mjs', 0],
  ['check|node|--json|--|rpc.mjs', 2, 'There is no example to check.'],
  // An error of JSON-RPC: its lines and its data.
  [
    'call|get|--|node|rpc.mjs',
    4,
    /error -32000: no such pod\n {4}in default\n {4}in kube\n {2}data: \{"pods":\["a"\]\}\n/,
  ],
]

describe('toolscope: says the reason first', () => {
  test.for(rows)('%s exits with %i', async ([line, code, ...said], { folder }) => {
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
    const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), DEMO_KEY: undefined }
    const run = await runCommandLine(line.split('|'), { directory: folder, environment })
    for (const each of said)
      expect(run.stderr).toEqual(
        typeof each === 'string' ? expect.stringContaining(each) : expect.stringMatching(each),
      )
    expect(run.code, run.stderr).toBe(code)
    expect(run.stderr).not.toMatch(/\bbelow\b|(?<!here or )\babove\b|<!doctype|<html/i)
    expect(existsSync(join(folder, 'started'))).toBe(false)
  })
})

test.for(commandNames)('toolscope %s --help: has two examples and its exit codes', async name => {
  const { code, stdout } = await runCommandLine([name, '--help'])
  expect(code).toBe(0)
  const [, examples = '', codes = ''] = stdout.split(/\n(?:Examples|Exit codes):\n/)
  expect(examples.match(/^ {2}# .+\n {2}.*\btoolscope\b/gm)?.length).toBeGreaterThanOrEqual(2)
  expect(codes).toMatch(/^ {2}0 {2}.+\n {2}2 {2}/)
  expect((await runCommandLine(['help', name])).stdout).toContain(codes.trim())
})

test('call: keeps the data and the line breaks of a JSON-RPC error in JSON', async ({ folder }) => {
  writeFileSync(join(folder, 'rpc.mjs'), rpcError)
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data') }
  const run = await runCommandLine(['call', 'get', 'mcp:node rpc.mjs', '--json'], {
    directory: folder,
    environment,
  })
  const { message, meta } = JSON.parse(run.stdout)
  expect(message).toContain('no such pod\n  in default\n  in kube')
  expect(meta).toEqual({ error: { pods: ['a'] } })
})

test.for(['mcp.json', '.mcp.json', '.vscode/mcp.json'])(
  'list: offers a found %s and starts nothing of it',
  async (name, { folder }) => {
    mkdirSync(join(folder, '.vscode'))
    writeFileSync(join(folder, name), whole)
    for (const command of ['list', 'check', 'discover']) {
      const args = command === 'discover' ? [command, '--search', 'x'] : [command]
      const run = await runCommandLine(args, { directory: folder })
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`toolscope ${command} ${name}`)])
    }
    expect(existsSync(join(folder, 'started'))).toBe(false)
  },
)

test('list: says that a program serves HTTP at an address instead of MCP on stdin and stdout', async ({
  folder,
}) => {
  const address = 'http://localhost:3001/mcp'
  writeFileSync(
    join(folder, 'http-mcp.mjs'),
    `console.error('listening on ${address}.'); setInterval(() => {}, 1000)`,
  )
  const { code, stderr } = await runCommandLine(['list', 'node http-mcp.mjs'], { directory: folder })
  expect([code, stderr]).toEqual([3, expect.stringContaining(`node http-mcp.mjs serves HTTP at ${address}`)])
  expect(stderr).toContain(`toolscope ${address}`)
  expect(stderr).toContain('--stdio')
})

describe('address: asks an MCP server at its usual path too', () => {
  async function serve(answer: RequestListener): Promise<string> {
    const server = createServer(answer).listen(0, '127.0.0.1')
    onTestFinished(() => server.closeAllConnections())
    onTestFinished(() => void server.close())
    await new Promise(resolve => server.once('listening', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const page = '<!DOCTYPE html><html><body>Cannot POST /</body></html>'

  test('lists the tools of /mcp for an address without it', async ({ folder }) => {
    const origin = await serve(async (request, response) => {
      let text = ''
      for await (const part of request) text += part
      const { id, method = '' } = request.url === '/mcp' && text !== '' ? JSON.parse(text) : {}
      const results: Readonly<Record<string, unknown>> = {
        initialize: {
          protocolVersion: '2025-06-18',
          capabilities: { tools: {} },
          serverInfo: { name: 's', version: '1' },
        },
        'tools/list': { tools: [{ name: 'found', inputSchema: { type: 'object' } }] },
      }
      if (results[method] === undefined)
        return response.writeHead(id === undefined && method !== '' ? 202 : 404).end(page)
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }))
    })
    const { code, stdout } = await runCommandLine(['list', `${origin}/`], { directory: folder })
    expect([code, stdout]).toEqual([0, expect.stringContaining('/found')])
  })

  test('says of each attempt in one line what it answered, and quotes no HTML', async ({ folder }) => {
    const origin = await serve((_, response) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end(page)
    })
    const { code, stderr } = await runCommandLine(['list', origin], { directory: folder })
    expect([code, stderr]).toEqual([3, expect.stringMatching(/answered HTTP 404: a web page\n/)])
    expect(stderr).toContain(
      `Also tried as an MCP server at ${origin}/mcp: ${origin}/mcp answered HTTP 404: a web page.`,
    )
    expect(stderr).toMatch(/Also tried as a bridge .* and as a manifest: .* answered HTTP 404\.\n/)
    expect(stderr).not.toMatch(/<\w/)
  })
})
