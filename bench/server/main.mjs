// Measures large catalogs on the server: `npm run bench -- server [--tools 5000,100000] [--rounds 3] [--json]`. Needs
// the built program. Exit code 1 if a bar is missed. `--other FOLDER` also measures the build of another checkout, in
// turns with this one; `--profile FOLDER` writes a CPU profile of each step.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { measureAll, readyAt } from '../harness.mjs'

const here = path => fileURLToPath(new URL(path, import.meta.url))
const { values } = parseArgs({
  options: {
    tools: { type: 'string', default: '5000,100000' },
    rounds: { type: 'string', default: '3' },
    json: { type: 'boolean' },
    other: { type: 'string' },
    profile: { type: 'string' },
  },
})
const rounds = Number(values.rounds)
const token = 'bench-server-0123456789'
const mb = 1_000_000
/** The maximum of each: milliseconds of a stall and of a refresh, megabytes of memory. */
const chooseLimits = tools =>
  tools > 5_000 ? { stall: 100, refresh: 3_000, rss: 450 } : { stall: 50, refresh: 3_000, rss: 150 }
const searches = ['invoice', 'list ticket', 'delete customer', 'something which shares a report', 'calendr']

await measureAll({ ...values, rounds }, measure, print)

/** Each round uses a new server with an empty store; the builds take turns. */
async function measure(tools) {
  const trees = [here('../..'), ...(values.other ? [values.other] : [])]
  const results = trees.map(() => [])
  for (let round = 0; round < rounds; round++)
    for (const [at, tree] of trees.entries()) results[at].push(await measureRound(tree, tools))
  return results.map((each, at) => summarize(at === 0 ? 'Toolscope' : 'other', tools, each))
}

async function measureRound(tree, tools) {
  const server = await start(tree, tools)
  const { api, step } = server
  try {
    const refresh = () => api('POST', '/api/sources/bench/refresh')
    const search = q => api('GET', `/api/rows?limit=100&q=${encodeURIComponent(q)}`)
    await step('open', async () => {
      await server.ready
      while ((await state()).toolCount !== tools) await setTimeout(100)
    })
    await step('list', () => api('GET', '/api/rows?limit=100'))
    await step('first search', () => search(searches[0]))
    await step('20 searches', async () => {
      for (let at = 0; at < 20; at++) await search(`${searches[at % searches.length]} ${at}`)
    })
    const { tools: page } = await api('GET', '/api/tools?limit=5')
    await step('5 tools', async () => {
      for (const { ref } of page) await api('GET', `/api/tools/${encodeURIComponent(ref)}`)
    })
    await step('refresh', refresh)
    await step('changed list', async () => {
      await call(page[0].ref, { title: 'revise', owner: { name: 'bench' } })
      await refresh()
      while ((await api('GET', '/api/sources/bench/versions')).versions.length < 2) await setTimeout(100)
    })
    await step('prompt', () => api('POST', '/api/prompt', {}))
    await step('lint', () => api('POST', '/api/lint', {}))
    // Idle threads end after 30 s (server/workers/worker-pool.ts).
    await step('35 s later', () => setTimeout(35_000))
    return server.steps
  } finally {
    await server.close()
  }
  async function state() {
    return (await api('GET', '/api/sources')).sources[0] ?? {}
  }
  async function call(ref, input) {
    const text = await api('POST', '/api/invocations', { ref, input }, true)
    if (!text.includes('"type":"result"')) throw new Error(text)
  }
}

async function start(tree, tools) {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
  const config = join(folder, 'toolscope.json')
  const command = [process.execPath, here('../browser/server.mjs'), String(tools)]
  writeFileSync(config, JSON.stringify({ sources: { bench: { mcp: { command } } } }))
  const program = [
    join(tree, 'dist/server/main.js'),
    'serve',
    '--no-open',
    '--port',
    '0',
    '--config',
    config,
    '--trust',
  ]
  const child = spawn(process.execPath, ['--expose-gc', '--import', here('probe.mjs'), ...program], {
    cwd: folder,
    env: { ...process.env, TOOLSCOPE_TOKEN: token, TOOLSCOPE_DATA_DIR: folder },
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  })
  const ready = readyAt(child)
  const ask = async question => {
    child.send(question)
    return (await once(child, 'message'))[0]
  }
  const api = async (method, path, body, isText = false) => {
    const answer = await fetch(`${await ready}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return isText ? answer.text() : answer.json()
  }
  const steps = {}
  /** Measures the elapsed time, and what the server did until it was idle again. */
  const step = async (name, work) => {
    if (values.profile) await ask({ startProfile: true })
    const before = await ask({})
    const started = performance.now()
    await work()
    const ms = performance.now() - started
    await quiet()
    const after = await ask({})
    if (values.profile) writeProfile(`${tools}-${name}`, (await ask({ stopProfile: true })).profile)
    const { rss, heapUsed } = await ask({ collect: true })
    const cpu = (used(after.cpu) - used(before.cpu)) / 1_000
    const { cpu: stall, wall: stallByClock } = after.stall
    steps[name] = { ms, cpu, stall, stallByClock, rss: rss / mb, heap: heapUsed / mb }
  }
  /** A server that used a twentieth of a processor for half a second has no work left. */
  const quiet = async () => {
    for (let still = 0; still < 2; ) {
      const before = used((await ask({})).cpu)
      await setTimeout(250)
      still = used((await ask({})).cpu) - before < 25_000 ? still + 1 : 0
    }
  }
  const close = async () => {
    child.kill('SIGTERM')
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
  return { ready, api, step, steps, close }
}

function used({ user, system }) {
  return user + system
}

function writeProfile(name, profile) {
  mkdirSync(values.profile, { recursive: true })
  writeFileSync(join(values.profile, `${name.replaceAll(' ', '-')}.cpuprofile`), JSON.stringify(profile))
}

function summarize(name, tools, each) {
  const keys = Object.keys(each[0])
  const fields = Object.keys(each[0][keys[0]])
  const steps = Object.fromEntries(
    keys.map(key => [
      key,
      Object.fromEntries(fields.map(field => [field, median(each.map(round => round[key][field]))])),
    ]),
  )
  const max = chooseLimits(tools)
  const most = field => Math.max(...Object.values(steps).map(step => step[field]))
  const bars = [
    ...keys.map(key => ({ name: `stall, ${key}`, value: steps[key].stall, max: max.stall })),
    { name: 'refresh', value: steps.refresh.ms, max: max.refresh },
    { name: 'memory, at most', value: most('rss'), max: max.rss },
    { name: 'memory, held', value: steps['35 s later'].rss, max: max.rss },
  ].map(bar => ({ ...bar, isMet: bar.value <= bar.max }))
  return { name, tools, steps, bars }
}

function print(measured, load) {
  console.log(
    `node ${process.version}, ${cpus().length} processors, load ${load.toFixed(1)}, median of ${rounds} rounds`,
  )
  for (const { name, tools, steps, bars } of measured) {
    console.log(`\n${name}, ${tools} tools`)
    console.table(
      Object.fromEntries(
        Object.entries(steps).map(([step, fields]) => [
          step,
          Object.fromEntries(Object.entries(fields).map(([field, value]) => [field, Math.round(value)])),
        ]),
      ),
    )
    for (const bar of bars.filter(bar => !bar.isMet))
      console.log(`${bar.name}: ${bar.value.toFixed(0)}, at most ${bar.max}: MISSED`)
  }
}

function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1]
}
