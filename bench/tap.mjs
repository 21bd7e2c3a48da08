// Measures what `toolscope tap` adds to a call over stdio: `npm run bench -- tap [--calls 2000] [--json]`. Needs the built
// program. A client of the SDK calls `echo` of server-everything, directly and through a tap, in turns.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { project } from '../scripts/project.mjs'
import { findMedians, printReport, quantile, readOptions, takeTurns } from './harness.mjs'

const { calls, json } = readOptions({ calls: '2000', json: false })
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const server = [
  process.execPath,
  project('node_modules/@modelcontextprotocol/server-everything/dist/index.js'),
]
const tap = [process.execPath, project('dist/server/main.js'), 'tap', '-o', join(folder, 'a.toolrec'), '--']
const clients = []
try {
  for (const [command, ...args] of [server, [...tap, ...server]]) {
    const client = new Client({ name: 'bench', version: '1' })
    await client.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }))
    clients.push(client)
  }
  const measure = async (client, round) => {
    const started = performance.now()
    const { content } = await client.callTool({ name: 'echo', arguments: { message: `call ${round}` } })
    const ms = performance.now() - started
    if (content[0].text !== `Echo: call ${round}`) throw new Error(JSON.stringify(content))
    return ms
  }
  const times = await takeTurns(clients, measure, { rounds: Number(calls), warmUp: 200 })
  const [direct, tapped] = times.map(findMedians)
  const [directP95, tappedP95] = times.map(each => quantile(each, 0.95))
  const bars = [{ name: 'added to a call, median in ms', value: tapped - direct, max: 0.3 }]
  printReport({
    json,
    tables: {
      [`milliseconds of ${calls} calls`]: { direct, tapped, directP95, tappedP95 },
      bars,
    },
    bars,
  })
} finally {
  await Promise.all(clients.map(client => client.close()))
  rmSync(folder, { recursive: true, force: true })
}
