/**
 * `npm run bench -- search --data DIR [--list]`: how often one of the right tools is among the first five results, for
 * vague requests over a folder of manifests. The search was tuned on one part of search-queries.json; the other part was
 * written after the synonyms. `--list` prints the failing requests of the first part with their first
 * results; `--size N` repeats the tools up to that number, to measure time (of the processor).
 */
import { createSearchIndex } from '../core/catalog/search-index.ts'
import { measured, printReport, quantile, readOptions } from './harness.mjs'
import { readCatalog } from './manifests.ts'
import queries from './search-queries.json'

/** The lowest rank at which a right tool counts as found. */
const maxPlace = 5

const { data, size, list, json } = readOptions({ data: null, size: '0', list: false, json: false })
const read = readCatalog(data)
const tools = Array.from({ length: Number(size) || read.length }, (_, at) => {
  const tool = read[at % read.length]
  if (tool === undefined) throw new Error('no tools in the folder')
  return at < read.length ? tool : { ...tool, name: `${tool.name}_${at}`, ref: `${tool.ref}_${at}` }
})
const index = createSearchIndex(tools)
const built = await measured(() => index.prepare(async () => true))
const times: number[] = []

async function share(part: (string | string[])[][], isListed: boolean): Promise<number> {
  const found: boolean[] = []
  for (const [query, accepted] of part) {
    const { value, cpu } = await measured(() => index.search(String(query), { sources: [], filters: [] }))
    times.push(cpu)
    const first = value.order.slice(0, maxPlace).map(at => index.tools[at]?.name ?? '')
    const isFound = first.some(name => accepted?.includes(name))
    if (!isFound && isListed) console.log(`${query}\n  wanted ${accepted}\n  got    ${first.join(', ')}`)
    found.push(isFound)
  }
  return (100 * found.filter(Boolean).length) / part.length
}

const tuned = await share(queries.tuned, list)
const heldOut = await share(queries.heldOut, false)
printReport({
  json,
  tables: {
    search: {
      tools: index.tools.length,
      'recall@5, tuned on, %': tuned,
      'recall@5, written afterwards, %': heldOut,
      'read all, ms': built.cpu,
      'search: median ms': quantile(times, 0.5),
      'search: p95 ms': quantile(times, 0.95),
      'search: longest ms': quantile(times, 1),
    },
  },
  // Repeated tools are right answers that no request names.
  bars:
    tools.length > read.length
      ? []
      : [
          { name: 'recall@5, tuned on', value: tuned, min: 85 },
          { name: 'recall@5, written afterwards', value: heldOut, min: 75 },
        ],
})
