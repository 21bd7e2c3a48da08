// Measures the cost of a call through Toolscope, compared with the same call without it:
// `npm run bench -- call [--calls 200] [--json]`. Needs the built program. The two ways take turns, call by call; the
// medians are compared. Each answer must be right. Exit code 1 if a bar is missed. `--profile FOLDER` writes a CPU
// profile of Toolscope there.
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs, promisify } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { readyAt, readyUrl } from '../harness.mjs'

const project = path => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const { values } = parseArgs({
  options: {
    calls: { type: 'string', default: '200' },
    json: { type: 'boolean' },
    profile: { type: 'string' },
  },
})
const calls = Number(values.calls)
const warmUp = 20
const server = { command: process.execPath, args: [project('bench/call/server.mjs')] }
const token = 'bench-call-0123456789'
const acme = project('examples/acme/acme.mjs')
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const open = []
const load = loadavg()[0]
try {
  const bridge = await add(startBridge())
  const sdk = await add(startSdk())
  const toolscope = await add(startToolscope(bridge.origin))
  const greet = JSON.stringify({ name: 'Ada' })
  const run = promisify(execFile)
  const rows = [
    {
      name: 'program',
      max: 1.05,
      alone: async () => (await run(process.execPath, [acme, 'api', 'greet', '--json', greet])).stdout,
      through: () => toolscope.call('acme/api greet', { name: 'Ada' }),
      answer: () => 'Ada',
    },
    {
      name: 'MCP tool over stdio',
      max: 1.3,
      alone: at => sdk.call(at),
      through: at => toolscope.call('mcp/answer', question(at)),
      answer: at => `answer to ${at}`,
    },
    {
      name: 'tool of a bridge',
      max: 1.5,
      alone: async at => {
        const body = JSON.stringify(question(at))
        const headers = { 'content-type': 'application/json' }
        return (await fetch(`${bridge.origin}/tools/bench_answer`, { method: 'POST', headers, body })).text()
      },
      through: at => toolscope.call('bridge/bench_answer', question(at)),
      answer: at => `answer to ${at}`,
    },
  ]
  const measured = []
  for (const row of rows) measured.push(await measure(row))
  print(measured, await measureRoundTrip(toolscope))
  process.exitCode = measured.every(({ isMet }) => isMet) ? 0 : 1
} finally {
  for (const one of open) await one.close()
  rmSync(folder, { recursive: true })
}

function question(at) {
  return { question: at, work: 0 }
}

async function add(starting) {
  const one = await starting
  open.push(one)
  return one
}

async function measure({ name, max, alone, through, answer }) {
  const times = { alone: [], through: [] }
  for (let at = 0; at < warmUp + calls; at++)
    for (const [way, call] of Object.entries({ alone, through })) {
      const started = performance.now()
      const text = await call(at)
      const ms = performance.now() - started
      if (!text.includes(answer(at))) throw new Error(`${name}, ${way}: ${text}`)
      if (at >= warmUp) times[way].push(ms)
    }
  const ms = { alone: median(times.alone), through: median(times.through) }
  const ratio = ms.through / ms.alone
  return { name, ms, ratio, max, isMet: ratio <= max }
}

/** Measures the minimum of every call: a request to the server that calls nothing, and its answer. */
async function measureRoundTrip(toolscope) {
  const times = []
  for (let at = 0; at < warmUp + calls; at++) {
    const started = performance.now()
    await toolscope.ask()
    if (at >= warmUp) times.push(performance.now() - started)
  }
  return median(times)
}

/** Starts the SDK's client on the server's own pipes. */
async function startSdk() {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport(server))
  return {
    async call(at) {
      const { content } = await client.callTool({ name: 'answer', arguments: question(at) })
      return content[0].text
    },
    close: () => client.close(),
  }
}

/** Starts `toolscope bridge` for the same server. */
async function startBridge() {
  const path = join(folder, 'mcp.json')
  writeFileSync(path, JSON.stringify({ mcpServers: { bench: server } }))
  const program = [project('dist/server/main.js'), 'bridge', path, '--port', '0']
  const child = spawn(process.execPath, program, { stdio: ['ignore', 'pipe', 'ignore'] })
  const url = await readyUrl(child, /ready: (http:\S+)/)
  return { origin: new URL(url).origin, close: () => stop(child) }
}

async function stop(child) {
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Starts Toolscope with a source of each kind. */
async function startToolscope(bridge) {
  const config = join(folder, 'toolscope.json')
  const sources = {
    acme: { command: [process.execPath, acme] },
    mcp: { mcp: { command: [server.command, ...server.args] } },
    bridge: { bridge },
  }
  writeFileSync(config, JSON.stringify({ sources }))
  const profile = values.profile ? ['--cpu-prof', `--cpu-prof-dir=${values.profile}`] : []
  const program = [project('dist/server/main.js'), 'serve', '--no-open', '--port', '0']
  const child = spawn(process.execPath, [...profile, ...program, '--config', config, '--trust'], {
    cwd: folder,
    env: { ...process.env, TOOLSCOPE_TOKEN: token, TOOLSCOPE_DATA_DIR: join(folder, 'data') },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const url = await readyAt(child)
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  return {
    async call(ref, input) {
      const body = JSON.stringify({ ref, input })
      const answer = await fetch(`${url}/api/invocations`, { method: 'POST', headers, body })
      const text = await answer.text()
      if (!text.includes('"type":"result"')) throw new Error(text)
      return text
    },
    async ask() {
      await (await fetch(`${url}/api/agents`, { headers })).json()
    },
    close: () => stop(child),
  }
}

function print(measured, roundTripMs) {
  const machine = { node: process.version, processors: cpus().length, load }
  if (values.json) return console.log(JSON.stringify({ machine, calls, roundTripMs, measured }, null, 2))
  console.log(
    `node ${process.version}, ${cpus().length} processors, load ${load.toFixed(1)}, medians of ${calls}`,
  )
  console.log(`${'round trip of HTTP'.padEnd(20)} ${roundTripMs.toFixed(2).padStart(7)} ms`)
  for (const { name, ms, ratio, max, isMet } of measured)
    console.log(
      `${name.padEnd(20)} ${ms.alone.toFixed(2).padStart(7)} ms alone ${ms.through.toFixed(2).padStart(7)} ms through ${ratio.toFixed(2).padStart(6)} ×, at most ${max}${isMet ? '' : ': MISSED'}`,
    )
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
