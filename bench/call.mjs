// Measures the cost of a call through Toolscope, compared with the same call without it:
// `npm run bench -- call [--calls 200] [--json]`. Needs the built program. The two ways take turns, call by call; the
// medians are compared. Each answer must be right. `--profile FOLDER` writes a CPU profile of Toolscope there.
import { execFile, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { project } from '../scripts/project.mjs'
import {
  findMedians,
  printReport,
  readOptions,
  readReadyUrl,
  startToolscope,
  stopProgram,
  takeTurns,
  toolServer,
} from './harness.mjs'

const { calls, json, profile } = readOptions({ calls: '200', json: false, profile: '' })
const count = { rounds: Number(calls), warmUp: 20 }
const [command, ...args] = toolServer(1)
const tool = 'create_invoice_0'
const acme = project('examples/acme/acme.mjs')
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const open = []
try {
  const bridge = await startBridge()
  const sdk = await startSdk()
  const toolscope = startToolscope({
    node: profile ? ['--cpu-prof', `--cpu-prof-dir=${profile}`] : [],
    sources: {
      acme: { command: [process.execPath, acme] },
      mcp: { mcp: { command: [command, ...args] } },
      bridge: { bridge },
    },
  })
  open.push(toolscope)
  const call = async (ref, input) => {
    const text = await toolscope.request('POST', '/api/invocations', { ref, input })
    if (!text.includes('"type":"result"')) throw new Error(text)
    return text
  }
  const greet = [acme, 'api', 'greet', '--json', JSON.stringify({ name: 'Ada' })]
  const rows = [
    {
      name: 'program',
      max: 1.05,
      alone: async () => (await promisify(execFile)(process.execPath, greet)).stdout,
      through: () => call('acme/api greet', { name: 'Ada' }),
      answer: () => 'Ada',
    },
    {
      name: 'MCP tool over stdio',
      max: 1.3,
      alone: async at => JSON.stringify(await sdk.callTool({ name: tool, arguments: makeInput(at) })),
      through: at => call(`mcp/${tool}`, makeInput(at)),
      answer: nameCall,
    },
    {
      name: 'tool of a bridge',
      max: 1.5,
      alone: async at => {
        const body = JSON.stringify(makeInput(at))
        const headers = { 'content-type': 'application/json' }
        return (await fetch(`${bridge}/tools/bench_${tool}`, { method: 'POST', headers, body })).text()
      },
      through: at => call(`bridge/bench_${tool}`, makeInput(at)),
      answer: nameCall,
    },
  ]
  const measured = []
  for (const row of rows) measured.push(await measure(row))
  // The minimum of every call: a request to the server that calls nothing, and its answer.
  const [roundTrips] = await takeTurns([() => toolscope.request('GET', '/api/agents')], time, count)
  printReport({
    json,
    tables: {
      [`milliseconds, medians of ${calls}; a round trip of HTTP takes ${findMedians(roundTrips).toFixed(2)}`]:
        Object.fromEntries(
          measured.map(({ name, value, max, ...ms }) => [name, { ...ms, multiple: value, max }]),
        ),
    },
    bars: measured,
  })
} finally {
  for (const one of open.reverse()) await one.close()
  rmSync(folder, { recursive: true })
}

function nameCall(at) {
  return `call ${at}`
}

function makeInput(at) {
  return { title: nameCall(at), owner: { name: 'Ada' } }
}

async function measure({ name, max, alone, through, answer }) {
  const ways = [alone, through].map(way => async round => {
    const text = await way(round)
    if (!text.includes(answer(round))) throw new Error(`${name}: ${text}`)
  })
  const [aloneMs, throughMs] = (await takeTurns(ways, time, count)).map(findMedians)
  return { name, aloneMs, throughMs, value: throughMs / aloneMs, max }
}

async function time(work, round) {
  const started = performance.now()
  await work(round)
  return performance.now() - started
}

/** Starts the SDK's client on the server's own pipes. */
async function startSdk() {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport({ command, args }))
  open.push(client)
  return client
}

/** Starts `toolscope bridge` for the same server, and returns its address. */
async function startBridge() {
  const path = join(folder, 'mcp.json')
  writeFileSync(path, JSON.stringify({ mcpServers: { bench: { command, args } } }))
  const program = [project('dist/server/main.js'), 'bridge', path, '--port', '0']
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore'] })
  open.push({ close: () => stopProgram(child) })
  return new URL(await readReadyUrl(child, /ready: (http:\S+)/)).origin
}
