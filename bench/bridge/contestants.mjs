// The ways to the one tool: each has `call(question, work)` → its answer, `cpu()` → milliseconds used by the process
// between us and the tool's own (none for the SDK alone), `close()`.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const server = { command: process.execPath, args: [here('server.mjs')] }
const none = { user: 0, system: 0 }

/** The SDK's client on the server's own pipes. */
export async function startSdk() {
  return ofClient(new StdioClientTransport(server))
}

/** The SDK's client on the SDK's own Streamable HTTP: `--http` with sessions, `--modern` without. */
export async function startSdkHttp(flag) {
  const { child, port } = await startProgram([here('server.mjs'), flag])
  const transport = new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`))
  return ofClient(transport, flag === '--modern' ? 'auto' : 'legacy', child)
}

async function ofClient(transport, mode = 'legacy', child) {
  const client = new Client({ name: 'bench', version: '1' }, { versionNegotiation: { mode } })
  await client.connect(transport)
  return {
    call: async (question, work) => {
      const { content } = await client.callTool({ name: 'answer', arguments: { question, work } })
      return content[0].text
    },
    cpu: async () => none,
    close: async () => {
      await client.close()
      child?.kill()
    },
  }
}

/** One HTTP round trip to the tool, without MCP: no bridge over HTTP can cost less. */
export async function startPlain() {
  const { child, port } = await startProgram([here('server.mjs'), '--plain'])
  return ofAddress(child, port, '/')
}

/** The least that a bridge can be (thin.mjs). */
export async function startThin() {
  const { child, port } = await startProgram([
    '--import',
    here('probe.mjs'),
    here('thin.mjs'),
    server.args[0],
  ])
  return ofAddress(child, port, '/')
}

/** `toolscope bridge`, as it is built. */
export async function startBridge(folder) {
  const path = join(folder, 'mcp.json')
  writeFileSync(path, JSON.stringify({ mcpServers: { bench: server } }))
  const program = [here('../../dist/server/main.js'), 'bridge', path, '--port', '0']
  const flags = [
    '--expose-gc',
    '--import',
    here('probe.mjs'),
    ...(process.env.BRIDGE_FLAGS?.split(' ') ?? []),
  ]
  const { child, port } = await startProgram([...flags, ...program])
  return ofAddress(child, port, '/tools/bench_answer')
}

function ofAddress(child, port, path) {
  const agent = new Agent({ keepAlive: true })
  const ask = async question => {
    child.send(question)
    const [answer] = await once(child, 'message')
    return answer
  }
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    address: `${origin}${path}`,
    call: (question, work) =>
      post({ agent, port, path, host: '127.0.0.1' }, JSON.stringify({ question, work })),
    cpu: async () => (child.spawnargs.includes('--import') ? (await ask({})).cpu : none),
    /** What is in use after the heap has been cleared, in MiB. */
    memory: async () => {
      const { rss, heapUsed } = await ask({ collect: true })
      return { rss: rss / 2 ** 20, heapUsed: heapUsed / 2 ** 20 }
    },
    close: async () => {
      agent.destroy()
      child.kill()
      await once(child, 'exit')
    },
  }
}

/** Starts a program that prints the port it listens at. */
async function startProgram(words) {
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'ignore', 'ipc'] })
  const port = await new Promise((resolve, reject) => {
    child.once('exit', code => reject(new Error(`${words.join(' ')} ended with ${code}`)))
    child.stdout.on('data', printed => {
      const found = /(?:listening |ready: http:\/\/[^:]+:)(\d+)/.exec(String(printed))?.[1]
      if (found) resolve(Number(found))
    })
  })
  return { child, port }
}

function post(address, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request({ ...address, method: 'POST', headers }, answer => resolve(text(answer)))
    call.on('error', reject)
    call.end(body)
  })
}
