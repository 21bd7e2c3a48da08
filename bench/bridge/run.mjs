// Calls through the bridge beside the same calls straight through the SDK: `npm run bench:bridge [-- rounds]`.
// Needs the built program. Each answer must belong to its question, or the bench fails. About two minutes.
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { startBridge, startPlain, startSdk, startSdkHttp, startThin } from './contestants.mjs'

const rounds = Number(process.argv[2] ?? 5)
const concurrentCalls = 100
const memoryRounds = 10
const memoryCalls = 2_000

/** `work`: milliseconds that the tool itself takes. `calls`: of one round; five rounds make the thousand. */
const rows = [
  { work: 0, width: 1, calls: 200, all: true },
  { work: 5, width: 1, calls: 200, all: true },
  { work: 20, width: 1, calls: 50 },
  { work: 50, width: 1, calls: 20 },
  { work: 0, width: concurrentCalls, calls: 1_000, all: true },
  { work: 5, width: concurrentCalls, calls: 1_000, all: true },
  { work: 20, width: concurrentCalls, calls: 1_000 },
  { work: 50, width: concurrentCalls, calls: 1_000 },
]

console.log(
  `node ${process.version}, ${cpus().length} processors, median of ${rounds} rounds in turns; times of one call\n`,
)
const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
const open = []
try {
  const sdk = await add('SDK, stdio', startSdk())
  const bridge = await add('bridge', startBridge(folder))
  await add('thin bridge', startThin())
  // Slow enough to take most of the time: a tenth of the calls is as good a reference.
  await add('SDK, HTTP with sessions', startSdkHttp('--http'), 0.1)
  await add('SDK, HTTP without', startSdkHttp('--modern'), 0.1)
  await add('plain HTTP', startPlain())
  for (const one of open) {
    const { wall } = await measure(one, { work: 0, width: 20, calls: 6_000 })
    console.log(`warm: ${one.name.padEnd(24)} ${wall.toFixed(3)} ms`)
  }
  for (const row of rows) print(row, await compare(row, row.all ? open : [sdk, bridge]))
  await watchMemory(bridge)
} finally {
  for (const one of open) await one.close()
  rmSync(folder, { recursive: true })
}

async function add(name, starting, share = 1) {
  const one = { name, share, ...(await starting) }
  open.push(one)
  return one
}

/** In turns, so that whatever else the machine does falls on all of them. */
async function compare(row, contestants) {
  const measured = new Map(contestants.map(one => [one, []]))
  for (let round = 0; round < rounds; round++)
    for (const one of contestants) measured.get(one).push(await measure(one, row))
  return measured
}

/** Wall clock and processor time of one call in milliseconds, from `calls` with `width` of them under way. */
async function measure(one, { work, width, calls: wanted }) {
  const calls = wanted * one.share
  // Connections that lay idle are opened again, and not on the clock.
  await Promise.all(Array.from({ length: width }, () => one.call(0, 0)))
  let next = 0
  const before = { own: process.cpuUsage(), theirs: await one.cpu() }
  const started = performance.now()
  const worker = async () => {
    while (next < calls) {
      const question = next++
      const answer = await one.call(question, work)
      if (answer !== `answer to ${question}`)
        throw new Error(`${one.name}: "${answer}" is no answer to ${question}`)
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  const wall = performance.now() - started
  const own = process.cpuUsage(before.own)
  const theirs = await one.cpu()
  return {
    wall: wall / calls,
    own: (own.user + own.system) / 1_000 / calls,
    theirs: (theirs.user + theirs.system - before.theirs.user - before.theirs.system) / 1_000 / calls,
  }
}

function print({ work, width, calls }, measured) {
  const manner = width === 1 ? 'one after the other' : `${width} at a time`
  console.log(`\n${calls * rounds} calls ${manner}, the tool takes ${work} ms`)
  const straight = medianOf([...measured.values()][0], 'wall')
  for (const [{ name }, all] of measured) {
    const wall = medianOf(all, 'wall')
    const more =
      name === 'SDK, stdio' ? '' : `  ${percent(wall / straight - 1)}  ${signed(wall - straight)} ms`
    const cpu = `processor: caller ${medianOf(all, 'own').toFixed(3)}, between ${medianOf(all, 'theirs').toFixed(3)}`
    console.log(`  ${name.padEnd(24)} ${wall.toFixed(3).padStart(8)} ms  ${cpu}${more}`)
  }
}

/** The heap after it was cleared, round after round: it must not grow. */
async function watchMemory(bridge) {
  console.log(`\nmemory of the bridge after each ${memoryCalls} calls, ${concurrentCalls} at a time`)
  for (let round = 1; round <= memoryRounds; round++) {
    await measure(bridge, { work: 0, width: concurrentCalls, calls: memoryCalls })
    const { heapUsed, rss } = await bridge.memory()
    console.log(
      `  ${String(round).padStart(2)}  heap ${heapUsed.toFixed(2)} MiB  resident ${rss.toFixed(1)} MiB`,
    )
  }
}

function medianOf(list, key) {
  const sorted = list.map(one => one[key]).sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)]
}

function signed(value, digits = 3) {
  return `${value < 0 ? '' : '+'}${value.toFixed(digits)}`
}

function percent(ratio) {
  return `${signed(ratio * 100, 0)} %`.padStart(7)
}
