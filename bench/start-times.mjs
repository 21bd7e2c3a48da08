// Measures the start of the command line: `npm run bench -- start [--runs 15] [--json]`. Needs the built program. Each
// round starts every command once; the medians are compared. `call` needs two starts of the program that it calls: one
// for the list of tools, one for the call.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { project } from '../scripts/project.mjs'
import { findMedians, printReport, readOptions, takeTurns } from './harness.mjs'

const { runs, json } = readOptions({ runs: '15', json: false })
const [toolscope, acme] = [project('dist/server/main.js'), project('examples/acme/acme.mjs')]
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const [before, after] = [12, 8].map(writeManifest)
const greet = '{"name":"Ada"}'

/** Words after `node`, and the expected exit code. */
const starts = {
  node: [['-e', '0'], 0],
  version: [[toolscope, '--version'], 0],
  list: [[toolscope, 'list', before], 0],
  diff: [[toolscope, 'diff', before, after], 5],
  programList: [[acme, '--llms'], 0],
  programCall: [[acme, 'api', 'greet', '--json', greet], 0],
  call: [[toolscope, 'call', 'api greet', acme, '--input', greet], 0],
}
try {
  // The first round fills the caches of the disk, the database and, from Node 22.1 on, of compiled code.
  const times = await takeTurns(Object.values(starts), measure, { rounds: Number(runs), warmUp: 1 })
  const ms = Object.fromEntries(Object.keys(starts).map((name, at) => [name, findMedians(times[at])]))
  const bars = [
    { name: '--version', ms: ms.version, max: 2 },
    { name: 'list', ms: ms.list, max: 4 },
    { name: 'diff', ms: ms.diff, max: 4 },
    { name: 'call, less its program', ms: ms.call - ms.programList - ms.programCall, max: 2.5 },
  ].map(bar => ({ ...bar, value: bar.ms / ms.node }))
  printReport({
    json,
    tables: { [`milliseconds, median of ${runs}`]: ms, 'multiples of `node -e 0`': bars },
    bars,
  })
} finally {
  rmSync(folder, { recursive: true })
}

function writeManifest(maxLength) {
  const properties = { text: { type: 'string', maxLength }, count: { type: 'integer' } }
  const tools = ['add', 'find', 'remove'].map(name => ({
    name,
    description: `Does ${name}`,
    inputSchema: { type: 'object', properties, required: ['text'] },
  }))
  const path = join(folder, `${maxLength}.json`)
  writeFileSync(path, JSON.stringify({ tools }))
  return path
}

/** Returns the milliseconds of one start, until the process ends. */
function measure([words, exitCode]) {
  const started = performance.now()
  const { status, stderr } = spawnSync(process.execPath, words, {
    cwd: folder,
    env: { ...process.env, TOOLSCOPE_DATA_DIR: join(folder, 'data') },
    encoding: 'utf8',
  })
  const taken = performance.now() - started
  if (status !== exitCode) throw new Error(`${words.join(' ')} ended with ${status}:\n${stderr}`)
  return taken
}
