/** The built program as an MCP server, asked by the SDK's clients of both lines, over stdio and over HTTP. */
import { type ChildProcess, spawn } from 'node:child_process'
import { request } from 'node:http'
import { Client as NewClient, StreamableHTTPClientTransport as NewHttp } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as OldHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isRunning, until } from '../../scripts/test-processes.ts'
import { resolveInRepository } from '../sources/testkit.ts'

const program = resolveInRepository('dist/server/main.js')
const acme = resolveInRepository('examples/acme/acme.mjs')
const quirks = `mcp:${process.execPath} ${resolveInRepository('server/sources/fixtures/mcp-quirks-old.mjs')}`
const words = [program, 'mcp', acme, quirks]

/** What the tests need of a client of either line. */
interface AnyClient {
  listTools(params?: { cursor?: string }): Promise<{ tools: { name: string; title?: string | undefined }[] }>
  callTool(
    params: { name: string; arguments: Record<string, unknown> },
    ...more: never[]
  ): Promise<{ [key: string]: unknown }>
  close(): Promise<void>
}

let http: ChildProcess
let url: URL
let printed = ''

beforeAll(async () => {
  http = spawn(process.execPath, [...words.slice(0, 2), '--http', '--without-token', ...words.slice(2)])
  http.stderr?.on('data', chunk => {
    printed += chunk
  })
  url = await new Promise<URL>((resolve, reject) => {
    http.once('exit', () => reject(new Error(printed)))
    http.stdout?.on('data', chunk => {
      const found = /ready: (\S+)/.exec(String(chunk))?.[1]
      if (found !== undefined) resolve(new URL(found))
    })
  })
})
afterAll(() => {
  http.kill('SIGTERM')
})

const info = { name: 'test', version: '1' }
const stdio = { command: process.execPath, args: words, stderr: 'ignore' as const }

async function newClient(transport: NewHttp | NewStdio) {
  const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(transport)
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28')
  return client as AnyClient
}

async function oldClient(transport: OldHttp | OldStdio) {
  const client = new OldClient(info)
  // The old SDK's own types do not agree with exactOptionalPropertyTypes.
  await client.connect(transport as OldStdio)
  return client as unknown as AnyClient
}

describe.each([
  ['the new client over stdio', () => newClient(new NewStdio(stdio))],
  ['the old client over stdio', () => oldClient(new OldStdio(stdio))],
  ['the new client over HTTP', () => newClient(new NewHttp(url))],
  ['the old client over HTTP', () => oldClient(new OldHttp(url))],
])('toolscope mcp with %s', (_name, connect) => {
  let client: AnyClient
  beforeAll(async () => {
    client = await connect()
  })
  afterAll(() => client.close())

  it('lists the tools of every source under valid names, with the original name as title', async () => {
    const { tools } = await client.listTools()
    expect(tools.length).toBe(16 + 16)
    for (const { name } of tools) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
    expect(new Set(tools.map(tool => tool.name)).size).toBe(tools.length)
    expect(tools.find(tool => tool.name === 'api_greet')).toMatchObject({
      title: 'api greet',
      outputSchema: { type: 'object' },
    })
  })

  it('calls a program and returns structured content and text', async () => {
    const result = await client.callTool({ name: 'api_greet', arguments: { name: 'Ada' } })
    expect(result).toMatchObject({
      structuredContent: { greeting: expect.stringContaining('Ada') },
      content: [{ type: 'text', text: expect.stringContaining('Ada') }],
    })
  })

  it('returns images unchanged, and failures as errors with their text', async () => {
    expect(await client.callTool({ name: 'image', arguments: {} })).toMatchObject({
      content: [{ type: 'image', mimeType: 'image/png' }],
    })
    expect(await client.callTool({ name: 'fails', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ text: 'it did not work\nat all' }, { text: '{"why":"because"}' }],
    })
    const refused = await client.callTool({ name: 'api_greet', arguments: { name: 7 } })
    expect(refused).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('refused') }] })
    await expect(client.callTool({ name: 'nope', arguments: {} })).rejects.toThrow('Unknown tool')
  })

  it('gives each of many parallel calls its own answer', async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => index)
    const answers = await Promise.all(
      numbers.map(message => client.callTool({ name: 'echo', arguments: { message } })),
    )
    expect(answers.map(answer => answer.structuredContent)).toEqual(numbers.map(message => ({ message })))
  })
})

it('toolscope mcp: passes progress on, and answers calls after a cancel', async () => {
  const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
  await client.connect(new NewStdio(stdio))
  const seen: number[] = []
  await client.callTool(
    { name: 'slow', arguments: { steps: 3 } },
    { onprogress: ({ progress }) => seen.push(progress) },
  )
  expect(seen).toContain(2)
  const hang = client.callTool({ name: 'hang', arguments: {} }, { signal: AbortSignal.timeout(300) })
  await expect(hang).rejects.toThrow()
  expect(await client.callTool({ name: 'echo', arguments: {} })).toHaveProperty('structuredContent', {})
  await client.close()
})

it('toolscope mcp: refuses pages of a browser and other host names', async () => {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  const status = (headers: Record<string, string>) =>
    new Promise<number | undefined>((resolve, reject) => {
      const call = request(
        url,
        { method: 'POST', headers: { 'content-type': 'application/json', ...headers } },
        answer => {
          answer.resume()
          resolve(answer.statusCode)
        },
      )
      call.on('error', reject)
      call.end(body)
    })
  expect(await status({ origin: 'https://evil.example' })).toBe(403)
  expect(await status({ host: 'evil.example' })).toBe(403)
})

it.each(['SIGTERM', 'SIGINT'] as const)('toolscope mcp: leaves no server process on %s', async signal => {
  const ours = spawn(process.execPath, words, { stdio: ['pipe', 'pipe', 'ignore'] })
  const { stdin, stdout } = ours
  const ask = (message: object) => stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let answers = ''
  stdout.on('data', chunk => {
    answers += chunk
  })
  const answered = (id: number) => until(() => answers.includes(`"id":${id}`))
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info }
  ask({ id: 1, method: 'initialize', params })
  await answered(1)
  ask({ method: 'notifications/initialized' })
  ask({ id: 2, method: 'tools/call', params: { name: 'helper', arguments: {} } })
  await answered(2)
  const helper = Number(/"text":"(\d+)"/.exec(answers)?.[1])
  expect(isRunning(helper)).toBe(true)
  ours.kill(signal)
  await new Promise(resolve => ours.once('exit', resolve))
  expect(isRunning(helper)).toBe(false)
})

describe('toolscope mcp --agent', () => {
  const tree = resolveInRepository('examples/functions')

  async function toolsOf(more: readonly string[], environment: Record<string, string> = {}) {
    const client = new NewClient(info, { versionNegotiation: { mode: 'auto' } })
    const args = [program, 'mcp', tree, ...more]
    const env = { PATH: process.env.PATH ?? '', ...environment }
    await client.connect(new NewStdio({ command: process.execPath, args, env, stderr: 'ignore' }))
    const { tools } = await client.listTools()
    const instructions = client.getInstructions()
    await client.close()
    return { names: tools.map(tool => tool.name), instructions }
  }

  it('lists own tools by plain names and shared tools, and gives the instructions', async () => {
    const { names, instructions } = await toolsOf(['--agent', 'garden'])
    expect(names).toContain('water_bed')
    expect(names).toContain('convert_units')
    expect(names).not.toContain('word_stats')
    expect(instructions).toContain('You keep the garden')
  })

  it('lists only own tools with AGENT_TOOLS_ONLY', async () => {
    const { names } = await toolsOf(['--agent', 'garden'], { AGENT_TOOLS_ONLY: 'true' })
    expect(names).toContain('water_bed')
    expect(names).not.toContain('convert_units')
  })

  it.each([
    [tree, 'there are: garden'],
    [acme, 'there are: none'],
  ])('exits 2 at once for an agent that %s does not have, and names its agents', async (source, known) => {
    // stdin stays open, as a client's would.
    const child = spawn(process.execPath, [program, 'mcp', source, '--agent', 'nobody'])
    let said = ''
    child.stderr.on('data', chunk => {
      said += chunk
    })
    const code = await new Promise(resolve => child.once('close', resolve))
    expect(said).toContain('there is no agent "nobody"')
    expect(said).toContain(known)
    expect(code).toBe(2)
  })
})
