/** An export holds no secret of the machine that wrote it. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { runToolscope } from '../scripts/toolscope-program.ts'
import { expect, publishedServer, test } from './support/toolscope.ts'

/** Every planted value; each is looked for in every byte. */
const planted = {
  configEnvironment: 'planted-config-environment',
  ownEnvironment: 'planted-own-environment',
  argument: 'planted-argument',
  header: 'planted-header',
  query: 'planted-query',
  mcpEnvironment: 'planted-mcp-environment',
  mcpArgument: 'planted-mcp-argument',
  dotenv: 'planted-dotenv',
  confirmRule: 'planted-confirm-rule',
  input: 'planted-input-of-history',
  exampleInput: 'planted-example-input',
  stderr: 'planted-stderr',
} as const

/** Answers as an MCP server over HTTP, of the older era, with one tool. */
async function mcpOverHttp() {
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', chunk => {
      text += chunk
    })
    request.on('end', () => {
      const { id, method, params } = JSON.parse(text || '{}')
      if (id === undefined) return response.writeHead(202).end()
      const tools = [{ name: 'remote', inputSchema: { type: 'object' } }]
      const results: Record<string, unknown> = {
        initialize: {
          protocolVersion: params?.protocolVersion,
          capabilities: { tools: {} },
          serverInfo: { name: 'remote', version: '1' },
        },
        'tools/list': { tools },
      }
      const result = results[method]
      const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` }
}

test('export: contains no secret of the configuration, environment, headers, arguments or history', async ({
  folder,
}) => {
  const { server, url } = await mcpOverHttp()
  const put = (path: string, text: string) => {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  put(
    'llms.mjs',
    `console.error(${JSON.stringify(planted.stderr)})
     const tool = { name: 'local', inputSchema: { type: 'object', properties: { token: { type: 'string' } } } }
     const last = process.argv.at(-1)
     console.log(last === '--llms' ? JSON.stringify({ tools: [tool] }) : last)`,
  )
  put(
    'tree/functions.json',
    JSON.stringify([{ name: 'f', description: 'd', parameters: { type: 'object', properties: {} } }]),
  )
  put('tree/.env', `F_TOKEN=${planted.dotenv}`)
  put('toolscope.examples/llms/local/e.json', `{"name":"e","input":{"a":"${planted.exampleInput}"}}`)
  put(
    'toolscope.json',
    JSON.stringify({
      sources: {
        llms: {
          command: ['node', 'llms.mjs', '--token', planted.argument],
          environment: { LLMS_TOKEN: planted.configEnvironment, PLAIN: `${planted.configEnvironment}-plain` },
        },
        tree: { functions: 'tree', environment: { LLM_MCP_NEED_CONFIRM: `(${planted.confirmRule}` } },
        http: {
          mcp: { url: `${url}?key=${planted.query}`, headers: { Authorization: `Bearer ${planted.header}` } },
        },
        stdio: {
          mcp: {
            command: ['node', publishedServer('server-memory'), planted.mcpArgument],
            env: { MEMORY_FILE_PATH: join(folder, 'memory.json'), API_KEY: planted.mcpEnvironment },
          },
        },
      },
    }),
  )
  const environment = { TOOLSCOPE_DATA_DIR: join(folder, 'data'), MY_SECRET: planted.ownEnvironment }
  const input = JSON.stringify({ token: planted.input, note: planted.input })
  const run = (args: readonly string[]) => runToolscope(args, { directory: folder, environment })
  const called = await run(['call', '--trust', 'llms/local', '--input', input])
  expect(called.stdout, called.stderr).toContain(planted.input)
  const exported = await run(['export', '--trust', '-o', 'site'])
  expect(exported.code, exported.stderr).toBe(0)
  server.close()

  const files = readdirSync(join(folder, 'site'), { recursive: true, encoding: 'utf8' })
  expect(files).toContain('index.html')
  let bytes = ''
  for (const name of files) {
    const path = join(folder, 'site', name)
    if (!statSync(path).isFile()) continue
    const content = readFileSync(path)
    bytes += content.toString('latin1')
    if (name.endsWith('.gz')) bytes += gunzipSync(content).toString('latin1')
    if (name.endsWith('.br')) bytes += brotliDecompressSync(content).toString('latin1')
  }
  for (const tool of ['llms/local', 'tree/f', 'http/remote', 'stdio/create_entities'])
    expect(bytes).toContain(tool)
  for (const [where, value] of Object.entries(planted)) expect(bytes.includes(value), where).toBe(false)
  // Nor where it was written.
  expect(bytes).not.toContain(folder)
})

test('export: refuses a source whose manifest contains a secret of its environment', async ({ folder }) => {
  const tool = `{ name: 'a', description: 'runs with ' + process.env.LEAKY_TOKEN, inputSchema: {} }`
  writeFileSync(join(folder, 'leaky.mjs'), `console.log(JSON.stringify({ tools: [${tool}] }))`)
  const run = await runToolscope(['export', 'leaky.mjs', '-o', 'site'], {
    directory: folder,
    environment: { LEAKY_TOKEN: 'quoted"and\\slashed' },
  })
  expect(run.code).toBe(2)
  expect(run.stderr).toContain('LEAKY_TOKEN')
  expect(run.stderr).not.toContain('slashed')
  expect(readdirSync(folder)).toEqual(['leaky.mjs'])
})
