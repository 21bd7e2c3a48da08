/**
 * What `toolscope bench` adds to a call: `npm run bench:load` (`-- --rounds 20`, `-- --calls 300`). The same calls of the
 * same MCP server, in turns by the SDK's own client and as `toolscope bench` makes them. Ends with 1 above the bar.
 */
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { Histogram } from '../../core/bench/histogram.ts'
import { LoadFigures, measureLoad } from '../../server/bench/measure-load.ts'
import { runLoad } from '../../server/bench/run-load.ts'
import { createCaller } from '../../server/calls/call.ts'
import { Catalog } from '../../server/catalog/catalog.ts'
import { detectSources } from '../../server/sources/index.ts'
import { createValidator } from '../../server/validation/validator.ts'
import { measured, quantile } from '../measured.ts'

const maxShare = 0.05

const { values } = parseArgs({
  options: { rounds: { type: 'string', default: '20' }, calls: { type: 'string', default: '300' } },
})
const [rounds, count] = [Number(values.rounds), Number(values.calls)]
const server = fileURLToPath(import.meta.resolve('@modelcontextprotocol/server-everything/dist/index.js'))
const input = { message: 'The same text each time.' }

const client = new Client({ name: 'bare', version: '1' })
await client.connect(
  new StdioClientTransport({ command: process.execPath, args: [server, 'stdio'], stderr: 'ignore' }),
)

const context = { directory: process.cwd(), callerDirectory: process.cwd(), environment: process.env }
const catalog = new Catalog(context)
for (const spec of await detectSources(['mcp:node', server, 'stdio'], context))
  await catalog.sources.open(spec)
const validator = createValidator()
const call = createCaller({ tools: catalog, validator, maxCalls: 1_000 })
const { ref } = catalog.tools.find('echo')
const target = { ref, input: { text: JSON.stringify(input), value: input }, secrets: new Map() }

/** The times of one round, each with the processor's time for a call. */
const contestants = {
  async bare(concurrency: number) {
    const times = new Histogram()
    const send = async (dueAt: number) => {
      await client.callTool({ name: 'echo', arguments: input })
      times.add(performance.now() - dueAt)
    }
    await runLoad(send, planOf(concurrency))
    return times
  },
  async toolscope(concurrency: number) {
    const figures = new LoadFigures()
    await measureLoad({ ...planOf(concurrency), targets: [target], call, validates: false }, figures)
    if (figures.errors.count > 0) throw new Error(JSON.stringify(figures.errors.top(1)))
    return figures.times
  },
}

const planOf = (concurrency: number) => ({
  pace: { concurrency },
  count,
  durationMs: Number.POSITIVE_INFINITY,
  signal: new AbortController().signal,
})

for (const concurrency of [1, 10]) {
  for (const run of Object.values(contestants)) for (let n = 0; n < 3; n += 1) await run(concurrency)
  const shares: Record<'p50' | 'clock' | 'processor', number[]> = { p50: [], clock: [], processor: [] }
  const p50s: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    // Who goes first changes from round to round.
    const names = round % 2 === 0 ? (['bare', 'toolscope'] as const) : (['toolscope', 'bare'] as const)
    const result: Record<string, { p50: number; wall: number; cpu: number }> = {}
    for (const name of names) {
      const { value, wall, cpu } = await measured(() => contestants[name](concurrency))
      result[name] = { p50: value.percentile(50), wall, cpu }
    }
    const { bare, toolscope } = result as Record<
      keyof typeof contestants,
      { p50: number; wall: number; cpu: number }
    >
    p50s.push(bare.p50)
    shares.p50.push(toolscope.p50 / bare.p50 - 1)
    shares.clock.push(toolscope.wall / bare.wall - 1)
    shares.processor.push(toolscope.cpu / bare.cpu - 1)
  }
  const percent = (list: readonly number[]) => `${(quantile(list, 0.5) * 100).toFixed(1)}%`
  console.log(
    `${concurrency} at a time: bare p50 ${quantile(p50s, 0.5).toFixed(3)} ms; toolscope p50 +${percent(shares.p50)}, time of the round +${percent(shares.clock)}, processor +${percent(shares.processor)}`,
  )
  if (quantile(shares.p50, 0.5) > maxShare) process.exitCode = 1
}
await client.close()
await catalog.close()
await validator.close()
