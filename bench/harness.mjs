/** The shared parts of the benchmarks: options, times, rounds, started programs, and the report with its bars. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { project } from '../scripts/project.mjs'

const load = loadavg()[0] ?? 0

/**
 * Reads the options of a benchmark from its command line. Ends the process with 2 if a required one is missing.
 *
 * @template {Readonly<Record<string, string | boolean | null>>} Defaults
 * @param {Defaults} defaults the options with their defaults; null if the option is required
 * @returns {{ [Name in keyof Defaults]: Defaults[Name] extends boolean ? boolean : string }}
 */
export function readOptions(defaults) {
  const options = Object.entries(defaults).map(([name, value]) => [
    name,
    typeof value === 'boolean' ? { type: 'boolean' } : { type: 'string' },
  ])
  const { values } = parseArgs({ options: Object.fromEntries(options) })
  const read = { ...defaults, ...values }
  const missing = Object.keys(read).filter(name => read[name] === null)
  if (missing.length > 0) {
    console.error(
      `Name ${missing.map(name => `--${name}`).join(' and ')}: npm run bench lists the benchmarks.`,
    )
    process.exit(2)
  }
  return /** @type {any} */ (read)
}

/**
 * Milliseconds of elapsed time, and of processor time: the elapsed time on an idle core.
 *
 * @template Value
 * @param {() => Value | Promise<Value>} work
 */
export async function measured(work) {
  const cpu = process.cpuUsage()
  const started = performance.now()
  const value = await work()
  const wall = performance.now() - started
  const { user, system } = process.cpuUsage(cpu)
  return { value, wall, cpu: (user + system) / 1_000 }
}

/**
 * Nearest rank: returns one of the values, 0 if there are none.
 *
 * @param {readonly number[]} values
 * @param {number} share from 0 to 1
 * @returns {number}
 */
export function quantile(values, share) {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
}

/**
 * Measures each participant once in every round, so that a busy machine slows all of them alike.
 *
 * @template Participant, Result
 * @param {readonly Participant[]} participants
 * @param {(participant: Participant, round: number) => Result | Promise<Result>} measure
 * @param {{ rounds: number, warmUp?: number }} count `warmUp` rounds come first and are not counted
 * @returns {Promise<Result[][]>} the results of each participant
 */
export async function takeTurns(participants, measure, { rounds, warmUp = 0 }) {
  const results = participants.map(() => /** @type {Result[]} */ ([]))
  for (let round = 0; round < warmUp + rounds; round++)
    for (const [at, participant] of participants.entries()) {
      const result = await measure(participant, round)
      if (round >= warmUp) results[at]?.push(result)
    }
  return results
}

/** Returns the median of numbers, or an object with the medians of the objects' fields. */
export function findMedians(results) {
  if (typeof results[0] === 'number') return results.toSorted((a, b) => a - b)[results.length >> 1]
  const keys = Object.keys(results[0])
  return Object.fromEntries(keys.map(key => [key, findMedians(results.map(result => result[key]))]))
}

/**
 * Prints the tables, or everything as JSON, and the missed bars. The exit code is 1 if a bar is missed.
 *
 * @param {object} report
 * @param {boolean} [report.json]
 * @param {Readonly<Record<string, unknown>>} report.tables rows by title, as `console.table` takes them
 * @param {readonly { name: string, value: number, max?: number, min?: number }[]} report.bars
 * @param {unknown} [report.details] for JSON
 */
export function printReport({ json = false, tables, bars, details }) {
  const judged = bars.map(bar => ({
    ...bar,
    isMet: bar.value <= (bar.max ?? Infinity) && bar.value >= (bar.min ?? -Infinity),
  }))
  const machine = { node: process.version, processors: cpus().length, load }
  if (json) console.log(JSON.stringify({ machine, tables, bars: judged, details }, null, 2))
  else {
    console.log(`Node ${machine.node}, ${machine.processors} processors, load ${load.toFixed(1)}`)
    for (const [title, rows] of Object.entries(tables)) {
      console.log(`\n${title}`)
      console.table(roundNumbers(rows))
    }
  }
  for (const { name, value, max, min, isMet } of judged)
    if (!isMet)
      console.error(
        `MISSED  ${name}: ${roundNumbers(value)}, ${max === undefined ? `at least ${min}` : `at most ${max}`}`,
      )
  process.exitCode = judged.every(({ isMet }) => isMet) ? 0 : 1
}

function roundNumbers(value) {
  if (typeof value === 'number') return Math.round(value * 100) / 100
  if (Array.isArray(value)) return value.map(roundNumbers)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, roundNumbers(inner)]))
}

const token = 'bench-0123456789abcdef'

/**
 * Starts the built program with an empty store of its own.
 *
 * @param tree the folder of the project whose build is started
 * @param node options of Node itself
 * @param sources of toolscope.json; with them, requests need the token, which `request` sends
 * @param words the last words of its command line
 */
export function startToolscope({ tree = project(), node = [], sources, words = [], channel = [] }) {
  const folder = mkdtempSync(join(tmpdir(), 'toolscope-bench-'))
  const config = join(folder, 'toolscope.json')
  if (sources) writeFileSync(config, JSON.stringify({ sources }))
  const program = [join(tree, 'dist/server/main.js'), 'serve', '--no-open', '--port', '0']
  const configured = sources ? ['--config', config, '--trust'] : []
  const child = spawn(process.execPath, [...node, ...program, ...configured, ...words], {
    cwd: folder,
    env: { ...process.env, TOOLSCOPE_DATA_DIR: folder, ...(sources && { TOOLSCOPE_TOKEN: token }) },
    stdio: ['ignore', 'pipe', 'inherit', ...channel],
  })
  const ready = readReadyUrl(child, /^toolscope ready: (\S+)$/m)
  return {
    child,
    /** Resolves to the address of the page. */
    ready,
    /** Returns the text of the answer, and throws if it is an error. */
    async request(method, path, body) {
      const answer = await fetch(new URL(path, await ready), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      const text = await answer.text()
      if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return text
    },
    async close() {
      await stopProgram(child)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Returns the address in the line that a program prints when it is ready. Throws if it ends before. */
export async function readReadyUrl(child, pattern) {
  let text = ''
  for await (const chunk of child.stdout) {
    text += chunk
    const url = pattern.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the server ended before it was ready')
}

export async function stopProgram(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/** Returns the command of an MCP server with so many tools. */
export const toolServer = count => [process.execPath, project('bench/tool-server.mjs'), String(count)]

export function writeProfile(folder, name, profile) {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name.replaceAll(' ', '-')}.cpuprofile`), JSON.stringify(profile))
}
