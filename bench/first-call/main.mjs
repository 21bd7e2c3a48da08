// What the first call on a fresh server costs beside the second: `npm run bench:first-call [-- servers [seconds]]`.
// Needs the built program. Each server is a process of its own with an empty database; after the ready line a user
// takes `seconds` (0 unless given) until the first call.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readyAt } from '../harness.mjs'

const project = path => fileURLToPath(new URL(`../../${path}`, import.meta.url))
const servers = Number(process.argv[2] ?? 7)
const waitMs = Number(process.argv[3] ?? 0) * 1_000
const token = 'first-call-0123456789'
const body = { ref: 'acme/api greet', input: { name: 'Ada' } }

const load = loadavg()[0].toFixed(1)
console.log(
  `node ${process.version}, ${cpus().length} processors, load ${load}, median of ${servers} servers`,
)
const rounds = []
for (let server = 0; server < servers; server++) rounds.push(await measure())
for (const [name, pick] of [
  ['first call', round => round.times[0]],
  ['second call', round => round.times[1]],
  ['third call', round => round.times[2]],
  ['difference of first and second', round => round.times[0] - round.times[1]],
  ['ratio of first and second', round => round.times[0] / round.times[1]],
]) {
  const sorted = rounds.map(pick).sort((a, b) => a - b)
  const [lowest, median, highest] = [0, sorted.length >> 1, -1].map(at => sorted.at(at).toFixed(2))
  console.log(`${name.padEnd(32)} ${median.padStart(8)}   (${lowest} to ${highest})`)
}

/** Milliseconds of the first calls of one fresh server, each from the request to the end of its answer. */
async function measure() {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
  const program = [process.execPath, '--', project('examples/acme/acme.mjs')]
  const child = spawn(
    process.execPath,
    [project('dist/server/main.js'), 'serve', '--no-open', '--port', '0', ...program],
    {
      env: { ...process.env, TOOLSCOPE_TOKEN: token, TOOLSCOPE_DATA_DIR: folder },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  try {
    const origin = await readyAt(child)
    await new Promise(resolve => setTimeout(resolve, waitMs))
    const times = []
    for (let call = 0; call < 3; call++) {
      const started = performance.now()
      await invoke(origin)
      times.push(performance.now() - started)
    }
    return { times }
  } finally {
    child.kill('SIGTERM')
    await new Promise(resolve => child.once('exit', resolve))
    rmSync(folder, { recursive: true })
  }
}

async function invoke(origin) {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const answer = await fetch(`${origin}/api/invocations`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body),
  })
  const events = (await answer.text())
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line))
  const { type, validation } = events.at(-1)
  if (type !== 'result' || validation?.verdict === 'unchecked') throw new Error(JSON.stringify(events.at(-1)))
}
