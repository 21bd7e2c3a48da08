/**
 * `npm run bench -- search --data DIR [--list]`: how often one of the right tools is among the first five results, for
 * vague requests over a folder of manifests. The search was tuned on one part of queries.json; the other part was
 * written after the synonyms, and is only reported. `--list` prints the failing requests of the first part with their
 * first results; `--size N` repeats the tools up to that number, to measure time (of the processor) and memory.
 */
import { setImmediate } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createSearchIndex } from '../../core/catalog/search-index.ts'
import { readCatalog } from '../help/read-catalog.ts'
import { measured, quantile } from '../measured.ts'
import queries from './queries.json'

/** The lowest rank at which a right tool counts as found. */
const maxPlace = 5

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    size: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})
if (values.data === undefined) {
  console.error('Name the folder of manifests: npm run bench -- search --data DIR')
  process.exit(2)
}
const read = await readCatalog(values.data)
const size = Number(values.size ?? read.length)
const tools = Array.from({ length: size }, (_, at) => {
  const tool = read[at % read.length]
  if (tool === undefined) throw new Error('no tools in the folder')
  return at < read.length ? tool : { ...tool, name: `${tool.name}_${at}`, ref: `${tool.ref}_${at}` }
})
const index = createSearchIndex(tools)
const slices: number[] = []
const memoryBefore = usedMemory()
const built = await measured(async () => {
  let last = process.cpuUsage()
  await index.prepare(async () => {
    const { user, system } = process.cpuUsage(last)
    slices.push((user + system) / 1_000)
    await setImmediate()
    last = process.cpuUsage()
    return true
  })
})
const memory = usedMemory() - memoryBefore
const times: number[] = []

async function share(part: (string | string[])[][], isListed: boolean): Promise<string> {
  const found: boolean[] = []
  for (const [query, accepted] of part) {
    const { value, cpu } = await measured(() => index.search(String(query), { sources: [], filters: [] }))
    times.push(cpu)
    const first = value.order.slice(0, maxPlace).map(at => index.tools[at]?.name ?? '')
    const isFound = first.some(name => accepted?.includes(name))
    if (!isFound && isListed) console.log(`${query}\n  wanted ${accepted}\n  got    ${first.join(', ')}`)
    found.push(isFound)
  }
  return `${((100 * found.filter(Boolean).length) / part.length).toFixed(1)}% of ${part.length}`
}

/** Megabytes in use; with --expose-gc after a garbage collection. */
function usedMemory(): number {
  globalThis.gc?.()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 1e6
}

console.table({
  tools: index.tools.length,
  'recall@5, tuned on': await share(queries.tuned, values.list),
  'recall@5, held out': await share(queries.heldOut, false),
  'read all, s': (built.cpu / 1000).toFixed(2),
  'slice: p95 ms': quantile(slices, 0.95).toFixed(0),
  'slice: longest ms': quantile(slices, 1).toFixed(0),
  'memory, MB': memory.toFixed(0),
  'search: median ms': quantile(times, 0.5).toFixed(2),
  'search: p95 ms': quantile(times, 0.95).toFixed(2),
  'search: longest ms': quantile(times, 1).toFixed(2),
})
