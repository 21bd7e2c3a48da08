// Measures the start of the command line: `npm run bench -- start [--runs 15] [--json]`. Needs the built program. Each
// round starts every command once, so that a busy machine slows all of them alike; the medians are compared. `call`
// needs two starts of the program that it calls: one for the list of tools, one for the call. Exit code 1 if a bar is
// missed.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const project = path => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const { values } = parseArgs({
  options: { runs: { type: 'string', default: '15' }, json: { type: 'boolean' } },
})
const runs = Number(values.runs)
const [toolscope, acme] = [project('dist/server/main.js'), project('examples/acme/acme.mjs')]
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const [before, after] = [12, 8].map(maxLength => writeManifest(`${maxLength}.json`, maxLength))
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
const times = Object.fromEntries(Object.keys(starts).map(name => [name, []]))
const load = loadavg()[0]
try {
  // The first round fills the caches of the disk, the database and, from Node 22.1 on, of compiled code.
  for (let run = 0; run <= runs; run++)
    for (const [name, start] of Object.entries(starts)) {
      const ms = measure(...start)
      if (run > 0) times[name].push(ms)
    }
} finally {
  rmSync(folder, { recursive: true })
}

const ms = Object.fromEntries(Object.entries(times).map(([name, each]) => [name, median(each)]))
const bars = [
  { name: '--version', ratio: ms.version / ms.node, max: 2 },
  { name: 'list', ratio: ms.list / ms.node, max: 4 },
  { name: 'diff', ratio: ms.diff / ms.node, max: 4 },
  { name: 'call, less its program', ratio: (ms.call - ms.programList - ms.programCall) / ms.node, max: 2.5 },
].map(bar => ({ ...bar, isMet: bar.ratio <= bar.max }))
const machine = { node: process.version, processors: cpus().length, load }
if (values.json) console.log(JSON.stringify({ machine, runs, ms, bars }, null, 2))
else {
  console.log(
    `node ${process.version}, ${cpus().length} processors, load ${load.toFixed(1)}, median of ${runs}`,
  )
  for (const [name, value] of Object.entries(ms))
    console.log(`${name.padEnd(24)} ${value.toFixed(0).padStart(6)} ms`)
  for (const { name, ratio, max, isMet } of bars)
    console.log(
      `${name.padEnd(24)} ${ratio.toFixed(2).padStart(6)} × node -e 0, at most ${max}${isMet ? '' : ': MISSED'}`,
    )
}
process.exitCode = bars.every(({ isMet }) => isMet) ? 0 : 1

function writeManifest(name, maxLength) {
  const properties = { text: { type: 'string', maxLength }, count: { type: 'integer' } }
  const tools = ['add', 'find', 'remove'].map(each => ({
    name: each,
    description: `Does ${each}`,
    inputSchema: { type: 'object', properties, required: ['text'] },
  }))
  const path = join(folder, name)
  writeFileSync(path, JSON.stringify({ tools }))
  return path
}

/** Returns the milliseconds of one start, until the process ends. */
function measure(words, exitCode) {
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

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
