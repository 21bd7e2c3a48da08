// Calls through the bridge beside the same calls straight through the SDK: `node bench/bridge/bridge.mjs [rounds]`.
// Needs the built program (npm run build). Each answer must belong to its question, or the bench fails.
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'

const SEQUENTIAL = 1_000
const CONCURRENT = 100
/** Milliseconds that the tool itself takes: nothing at all, a file, a request to somewhere. */
const works = [0, 5, 50]
/** Sequential calls: as many as a tool of that length lets a person wait for. */
const lots = work => (work > 10 ? SEQUENTIAL / 5 : SEQUENTIAL)
const rounds = Number(process.argv[2] ?? 5)

const here = path => fileURLToPath(new URL(path, import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const server = { command: process.execPath, args: [here('server.mjs')] }

const direct = await startDirect()
const bridge = await startBridge()
try {
  const rows = []
  // In turns, so that whatever else the machine does falls on both.
  for (let round = 0; round <= rounds; round++) {
    for (const work of works) {
      const sequential = [await timed(direct, lots(work), 1, work), await timed(bridge, lots(work), 1, work)]
      const concurrent = [
        await timed(direct, 1_000, CONCURRENT, work),
        await timed(bridge, 1_000, CONCURRENT, work),
      ]
      // The first round warms up.
      if (round > 0) rows.push({ work, sequential, concurrent })
    }
    if (round === 0) bridge.memoryAtStart = bridge.memory()
  }
  for (const work of works) {
    const of = rows.filter(row => row.work === work)
    report(
      `${lots(work)} calls one after the other, tool takes ${work} ms`,
      of.map(row => row.sequential),
      lots(work),
    )
    report(
      `1000 calls, ${CONCURRENT} at a time, tool takes ${work} ms`,
      of.map(row => row.concurrent),
      1_000,
    )
  }
  const [before, after] = [bridge.memoryAtStart, bridge.memory()]
  console.log(`memory of the bridge: ${before} MiB after the first round, ${after} MiB after ${rounds} more`)
} finally {
  await direct.close()
  bridge.close()
  rmSync(folder, { recursive: true })
}

function report(title, pairs, calls) {
  const median = at => pairs.map(pair => pair[at]).sort((a, b) => a - b)[Math.floor(pairs.length / 2)]
  const [straight, through] = [median(0), median(1)]
  const per = ms => `${(ms / calls).toFixed(3)} ms a call`
  const more = ((through / straight - 1) * 100).toFixed(0)
  console.log(`${title}: SDK ${per(straight)}, bridge ${per(through)}, overhead ${more} %`)
}

/** Milliseconds for `count` calls with `width` of them under way; checks every answer. */
async function timed({ call }, count, width, work) {
  let next = 0
  const started = performance.now()
  const worker = async () => {
    while (next < count) {
      const question = next++
      const answer = await call(question, work)
      if (answer !== `answer to ${question}`) throw new Error(`"${answer}" is no answer to ${question}`)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  return performance.now() - started
}

async function startDirect() {
  const client = new Client({ name: 'bench', version: '1' })
  await client.connect(new StdioClientTransport(server))
  return {
    call: async (question, work) => {
      const { content } = await client.callTool({ name: 'answer', arguments: { question, work } })
      return content[0].text
    },
    close: () => client.close(),
  }
}

async function startBridge() {
  const path = join(folder, 'mcp.json')
  writeFileSync(path, JSON.stringify({ mcpServers: { bench: server } }))
  const child = spawn(process.execPath, [here('../../dist/server/main.js'), 'bridge', path, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const port = await new Promise(resolve =>
    child.stdout.on('data', text => {
      const found = /ready: http:\/\/[^:]+:(\d+)/.exec(String(text))?.[1]
      if (found) resolve(Number(found))
    }),
  )
  const agent = new Agent({ keepAlive: true, maxSockets: CONCURRENT })
  return {
    call: (question, work) => post(agent, port, JSON.stringify({ question, work })),
    // The program alone, without its server.
    memory: () => Math.round(Number(execFileSync('ps', ['-o', 'rss=', '-p', String(child.pid)])) / 1024),
    close: () => {
      agent.destroy()
      child.kill('SIGTERM')
    },
  }
}

function post(agent, port, body) {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
    const call = request(
      { port, host: '127.0.0.1', path: '/tools/bench_answer', method: 'POST', agent, headers },
      answer => {
        let text = ''
        answer.on('data', chunk => {
          text += chunk
        })
        answer.on('end', () => resolve(text))
      },
    )
    call.on('error', reject)
    call.end(body)
  })
}
