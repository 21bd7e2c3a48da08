// Measures large catalogs on the server: `npm run bench -- server [--tools 5000,100000] [--rounds 3] [--json]`. Needs
// the built program. Each round uses a new server with an empty store. `--other FOLDER` also measures the build of
// another checkout, in turns with this one; `--profile FOLDER` writes a CPU profile of each step.
import { once } from 'node:events'
import { setTimeout } from 'node:timers/promises'
import { project } from '../scripts/project.mjs'
import {
  findMedians,
  printReport,
  readOptions,
  startToolscope,
  takeTurns,
  toolServer,
  writeProfile,
} from './harness.mjs'

const options = readOptions({ tools: '5000,100000', rounds: '3', json: false, other: '', profile: '' })
const mb = 1_000_000
const searches = ['invoice', 'list ticket', 'delete customer', 'something which shares a report', 'calendr']
const trees = [project(), ...(options.other ? [options.other] : [])]
const tables = {}
const bars = []
for (const tools of options.tools.split(',').map(Number)) {
  const results = await takeTurns(trees, tree => measureRound(tree, tools), {
    rounds: Number(options.rounds),
  })
  for (const [at, rounds] of results.entries()) {
    const title = `${at === 0 ? 'Toolscope' : 'other'}, ${tools} tools, median of ${options.rounds}`
    const steps = findMedians(rounds)
    tables[title] = steps
    bars.push(...listBars(steps, tools).map(bar => ({ ...bar, name: `${title}: ${bar.name}` })))
  }
}
printReport({ json: options.json, tables, bars })

/** Bars in milliseconds of a stall and of a refresh, and in megabytes of memory. */
function listBars(steps, tools) {
  const [stall, rss] = tools > 5_000 ? [100, 450] : [50, 150]
  return [
    ...Object.entries(steps).map(([name, step]) => ({
      name: `stall, ${name}`,
      value: step.stall,
      max: stall,
    })),
    { name: 'refresh', value: steps.refresh.ms, max: 3_000 },
    { name: 'memory, at most', value: Math.max(...Object.values(steps).map(step => step.rss)), max: rss },
    { name: 'memory, held', value: steps['35 s later'].rss, max: rss },
  ]
}

async function measureRound(tree, tools) {
  const server = startToolscope({
    tree,
    node: ['--expose-gc', '--import', project('bench/server-probe.mjs')],
    sources: { bench: { mcp: { command: toolServer(tools) } } },
    channel: ['ipc'],
  })
  const steps = {}
  const step = async (name, work) => {
    steps[name] = await measureStep(server.child, `${tools}-${name}`, work)
  }
  const api = async (...request) => JSON.parse(await server.request(...request))
  try {
    const refresh = () => api('POST', '/api/sources/bench/refresh')
    const search = q => api('GET', `/api/rows?limit=100&q=${encodeURIComponent(q)}`)
    await step('open', async () => {
      await server.ready
      while ((await api('GET', '/api/sources')).sources[0]?.toolCount !== tools) await setTimeout(100)
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
      const input = { title: 'revise', owner: { name: 'bench' } }
      const text = await server.request('POST', '/api/invocations', { ref: page[0].ref, input })
      if (!text.includes('"type":"result"')) throw new Error(text)
      await refresh()
      while ((await api('GET', '/api/sources/bench/versions')).versions.length < 2) await setTimeout(100)
    })
    await step('prompt', () => api('POST', '/api/prompt', {}))
    await step('lint', () => api('POST', '/api/lint', {}))
    // Idle threads end after 30 s (server/workers/worker-pool.ts).
    await step('35 s later', () => setTimeout(35_000))
    return steps
  } finally {
    await server.close()
  }
}

/** Measures the elapsed time, and what the server did until it was idle again. */
async function measureStep(child, name, work) {
  const ask = async question => {
    child.send(question)
    return (await once(child, 'message'))[0]
  }
  const readCpu = ({ cpu: { user, system } }) => user + system
  if (options.profile) await ask({ startProfile: true })
  const before = await ask({})
  const started = performance.now()
  await work()
  const ms = performance.now() - started
  // A server that used a twentieth of a processor for half a second has no work left.
  for (let still = 0; still < 2; ) {
    const used = readCpu(await ask({}))
    await setTimeout(250)
    still = readCpu(await ask({})) - used < 25_000 ? still + 1 : 0
  }
  const after = await ask({})
  if (options.profile) writeProfile(options.profile, name, (await ask({ stopProfile: true })).profile)
  const { rss, heapUsed } = await ask({ collect: true })
  const { cpu: stall, wall: stallByClock } = after.stall
  const cpu = (readCpu(after) - readCpu(before)) / 1_000
  return { ms, cpu, stall, stallByClock, rss: rss / mb, heap: heapUsed / mb }
}
