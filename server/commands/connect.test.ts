/** `toolscope connect`: its texts, read by the readers of the clients' files, and a real client over `toolscope mcp`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import type { Connection } from '../../core/api/clients.ts'
import { connectClientIds, connectClients } from '../../core/prompt/connect-clients.ts'
import { program } from '../../scripts/toolscope-program.ts'
import { userFiles } from '../recognise/client-files.ts'
import { readMcpJson } from '../recognise/mcp-json.ts'
import { resolveInRepository } from '../sources/testkit.ts'
import { test } from '../testing/folder-test.ts'
import { runCommandLine } from './testkit.ts'

const memory = resolveInRepository('node_modules/@modelcontextprotocol/server-memory/dist/index.js')
const secret = 's3cret-of-ours'

async function connect(...words: string[]): Promise<Connection> {
  const { code, stdout } = await runCommandLine(['connect', '--json', ...words])
  expect(code).toBe(0)
  expect(stdout).not.toContain(secret)
  return JSON.parse(stdout).connections[0]
}

/** Writes the part of a file where the client has it, and returns the servers that it names. */
function readFileText({ texts, client }: Connection, folder: string) {
  const { projectFile = 'mcp_config.json' } = { projectFile: undefined, ...connectClients[client] }
  const path = join(folder, projectFile)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, texts.find(({ kind }) => kind === 'file')?.text ?? '')
  return { path, servers: readMcpJson(path) ?? [] }
}

test.for(connectClientIds)(
  'toolscope connect: gives %s a server that its file then names',
  async (client, { folder }) => {
    const line = `SERVER_TOKEN=${secret} MODE='a "b" $5' node ${memory} --name "x y"`
    const connection = await connect(client, line, '--via', 'server')
    const [server] = readFileText(connection, folder).servers
    const { config = {}, settings } = server ?? {}
    expect(server?.name).toBe('server-memory')
    expect(config).toMatchObject({ command: ['node', memory, '--name', 'x y'], env: { MODE: 'a "b" $5' } })
    const env = ('env' in config ? config.env : undefined) as Readonly<Record<string, string>> | undefined
    const asked = client === 'codex' ? settings?.inherit : env?.SERVER_TOKEN
    const references = {
      codex: ['SERVER_TOKEN'],
      vscode: '${input:SERVER_TOKEN}',
      cursor: '${env:SERVER_TOKEN}',
      windsurf: '${env:SERVER_TOKEN}',
    }
    expect(asked).toEqual({ ...references }[client as string] ?? '${SERVER_TOKEN}')
  },
)

test('toolscope connect: knows the file of each client', () => {
  const machine = { platform: 'linux' as const, home: '/home/ada', environment: {} }
  const known = userFiles(machine).map(({ client }) => client)
  const titles = Object.values(connectClients).map(({ title }) => title)
  expect(titles.filter(title => !known.includes(title))).toEqual(['mcp.json'])
})

test('toolscope connect: tells by opening it that a program is an MCP server, and the file opens it', async ({
  folder,
}) => {
  const connection = await connect('codex', `node ${memory}`)
  expect(connection.via).toBe('server')
  const { path } = readFileText(connection, folder)
  const { stdout } = await runCommandLine(['list', path, '--json'], { directory: folder })
  expect(JSON.parse(stdout).tools).toHaveLength(9)
})

test('toolscope connect: connects a source that is not an MCP server through Toolscope, which then offers its tools', async () => {
  const connection = await connect('mcp-json', 'node', '--', 'examples/acme/acme.mjs')
  expect(connection.via).toBe('toolscope')
  const tools = await listThroughToolscope(connection)
  expect(tools).toContain('api_greet')
})

test('toolscope connect: gives a quoted word and a secret option through Toolscope as they are', async () => {
  const line = `node ${memory} --title "it's" -- -v --api-key ${secret}`
  const { texts } = await connect('mcp-json', line, '--via', 'toolscope')
  const { args, env } = JSON.parse(texts[0]?.text ?? '').mcpServers['server-memory']
  expect(args).toEqual([
    'mcp',
    'node',
    '--',
    memory,
    '--title',
    "it's",
    '--',
    '-v',
    '--api-key',
    '${env:API_KEY}',
  ])
  expect(env).toEqual({ API_KEY: '${API_KEY}' })
})

test('toolscope connect: says that a program without MCP gets no variable in its arguments', async () => {
  const words = ['--via', 'toolscope', 'node', '--', 'examples/acme/acme.mjs', '--api-key', secret]
  const { notes } = await connect('mcp-json', ...words)
  expect(notes).toContain(
    'A program that is not an MCP server gets its arguments as they are: write the value of API_KEY there.',
  )
  const server = await connect('mcp-json', `mcp:node ${memory} --api-key ${secret}`, '--via', 'toolscope')
  expect(server.notes.join(' ')).not.toContain('as they are')
})

test('toolscope connect: passes a secret header through Toolscope by a variable', async () => {
  const seen: (string | undefined)[] = []
  const http = createServer((request, answer) => {
    seen.push(request.headers.authorization)
    answer.writeHead(404).end()
  })
  await new Promise<void>(listening => http.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`
  const words = [url, '--header', `Authorization: Bearer ${secret}`]
  const connection = await connect('claude-desktop', ...words, '--via', 'toolscope')
  await listThroughToolscope(connection, { AUTHORIZATION: secret })
  expect(new Set(seen)).toEqual(new Set([`Bearer ${secret}`]))
  http.close()
})

test('toolscope connect: refuses what a client cannot have', async () => {
  const refused = async (...words: string[]) => {
    const { code, stderr } = await runCommandLine(['connect', ...words])
    return { code, stderr }
  }
  expect(await refused('claude-desktop', 'https://example.com/mcp', '--via', 'server')).toEqual({
    code: 2,
    stderr: expect.stringContaining('--via toolscope'),
  })
  expect(await refused('codex', 'examples/manifest.json')).toMatchObject({ code: 3 })
  expect((await refused('emacs', 'examples/functions')).code).toBe(2)
})

/** Starts the `toolscope mcp` of a connection as a client would, and returns the names of its tools. */
async function listThroughToolscope(
  { texts }: Connection,
  values: Record<string, string> = {},
): Promise<string[]> {
  const [server] = Object.values<{ command: string; args: string[] }>(
    JSON.parse(texts.find(({ kind }) => kind === 'file')?.text ?? '').mcpServers,
  )
  expect(server?.command).toBe('toolscope')
  const env = Object.entries(values).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  const words = ['list', '--json', ...env, `mcp:${process.execPath}`, '--', program, ...(server?.args ?? [])]
  const { stdout } = await runCommandLine(words)
  return JSON.parse(stdout).tools.map(({ name }: { name: string }) => name)
}
