/**
 * `npm run bench -- wire [--calls 2000] [--rounds 5]`: the processor time of calls to server-everything's `echo` over stdio, without a
 * wire and with one.
 */
import { parseArgs } from 'node:util'
import { Catalog } from '../server/catalog/catalog.ts'
import { detectSource } from '../server/recognise/detect-source.ts'
import { hashManifest } from '../server/versions/describe-snapshot.ts'

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: { calls: { type: 'string', default: '2000' }, rounds: { type: 'string', default: '5' } },
})
const calls = Number(values.calls)
const rounds = Number(values.rounds)
const directory = process.cwd()
const server = `${directory}/node_modules/@modelcontextprotocol/server-everything/dist/index.js`

/** Returns the milliseconds of processor time per call in this process. */
async function measure(hasWire: boolean): Promise<number> {
  const context = { directory, environment: process.env, ...(hasWire && { hashForWire: hashManifest }) }
  const catalog = new Catalog(context)
  await catalog.sources.open(await detectSource(`mcp:${process.execPath} ${server} stdio`, context))
  const [{ name = '' } = {}] = catalog.sources.list()
  const { session, tool } = catalog.callTarget(`${name}/echo`)
  const options = { signal: new AbortController().signal, timeoutMs: 60_000 }
  const call = async (at: number) => {
    const value = { message: `message ${at}` }
    const input = { value, text: JSON.stringify(value) }
    for await (const event of session.call?.(tool, input, { ...options, callId: String(at) }) ?? [])
      if (event.type === 'failure') throw new Error(event.message)
  }
  for (let at = 0; at < calls / 4; at += 1) await call(at)
  const before = process.cpuUsage()
  for (let at = 0; at < calls; at += 1) await call(at)
  const { user, system } = process.cpuUsage(before)
  await catalog.close()
  return (user + system) / 1000 / calls
}

const median = (times: readonly number[]) =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
const [without, withWire]: [number[], number[]] = [[], []]
for (let round = 0; round < rounds; round += 1) {
  without.push(await measure(false))
  withWire.push(await measure(true))
}
const change = (median(withWire) / median(without) - 1) * 100
console.log(
  `without a wire ${median(without).toFixed(4)} ms, with one ${median(withWire).toFixed(4)} ms of processor time a call`,
)
console.log(`${change.toFixed(1)} % more`)
