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
import { type LoadPlan, runLoad } from '../../server/bench/run-load.ts'
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
const servers = [
  { words: ['server-everything', 'stdio'], tool: 'echo', input: { message: 'The same text each time.' } },
  {
    words: ['server-filesystem', process.cwd()],
    tool: 'directory_tree',
    input: { path: `${process.cwd()}/docs` },
  },
]

const context = { directory: process.cwd(), callerDirectory: process.cwd(), environment: process.env }
const catalog = new Catalog(context)
const validator = createValidator()
const call = createCaller({ tools: catalog, validator, maxCalls: 1_000 })

for (const { words, tool, input } of servers) {
  const [name = '', ...rest] = words
  const path = fileURLToPath(import.meta.resolve(`@modelcontextprotocol/${name}/dist/index.js`))
  const client = new Client({ name: 'bare', version: '1' })
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [path, ...rest], stderr: 'ignore' }),
  )
  for (const spec of await detectSources(['mcp:node', path, ...rest], context))
    await catalog.sources.open(spec)
  const { ref } = catalog.tools.find(tool)
  const target = { ref, input: { text: JSON.stringify(input), value: input }, secrets: new Map() }
  await compare(tool, {
    async bare(plan) {
      const times = new Histogram()
      const send = async (dueAt: number) => {
        await client.callTool({ name: tool, arguments: input })
        times.add(performance.now() - dueAt)
      }
      await runLoad(send, plan)
      return times
    },
    async toolscope(plan) {
      const figures = new LoadFigures()
      await measureLoad({ ...plan, targets: [target], call, validates: false }, figures)
      if (figures.errors.count > 0) throw new Error(JSON.stringify(figures.errors.top(1)))
      return figures.times
    },
  })
  await client.close()
}
await catalog.close()
await validator.close()

type Contestants = Record<'bare' | 'toolscope', (plan: LoadPlan) => Promise<Histogram>>

/** Prints the medians of many short rounds, and sets the exit code. */
async function compare(tool: string, contestants: Contestants): Promise<void> {
  for (const concurrency of [1, 10]) {
    const { signal } = new AbortController()
    const plan = { pace: { concurrency }, count, durationMs: Number.POSITIVE_INFINITY, signal }
    for (const run of Object.values(contestants)) for (let n = 0; n < 3; n += 1) await run(plan)
    const figures: Record<'bare' | 'added' | 'share' | 'processor', number[]> = {
      bare: [],
      added: [],
      share: [],
      processor: [],
    }
    for (let round = 0; round < rounds; round += 1) {
      // Who goes first changes from round to round.
      const order = round % 2 === 0 ? (['bare', 'toolscope'] as const) : (['toolscope', 'bare'] as const)
      const found = { bare: { p50: 0, cpu: 0 }, toolscope: { p50: 0, cpu: 0 } }
      for (const each of order) {
        const { value, cpu } = await measured(() => contestants[each](plan))
        found[each] = { p50: value.percentile(50), cpu: cpu / count }
      }
      const { bare, toolscope } = found
      figures.bare.push(bare.p50)
      figures.added.push(toolscope.p50 - bare.p50)
      figures.share.push(toolscope.p50 / bare.p50 - 1)
      figures.processor.push(toolscope.cpu - bare.cpu)
    }
    const [bare = 0, added = 0, share = 0, processor = 0] = Object.values(figures).map(list =>
      quantile(list, 0.5),
    )
    console.log(
      `${tool}, ${concurrency} at a time: bare p50 ${bare.toFixed(3)} ms, added ${added.toFixed(3)} ms (${(share * 100).toFixed(1)}%), processor ${processor.toFixed(3)} ms a call`,
    )
    if (share > maxShare) process.exitCode = 1
  }
}
