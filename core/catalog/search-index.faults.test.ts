import { expect, test } from 'vitest'
import { makeTools } from './make-tools.testkit.ts'
import { createSearchIndex } from './search-index.ts'

const everywhere = { sources: [], filters: [] }

test('search index: a search in 20,000 tools takes less than a second of processor time', () => {
  const tools = makeTools(
    'big',
    Array.from({ length: 20_000 }, (_, at) => ({
      name: `group${at % 50} tool_${at}`,
      description: `Number ${at} reads the ${at % 7 ? 'ledger' : 'journal'} and reports ${'every entry of it '.repeat(8)}`,
      inputSchema: { properties: { account: {}, since: {}, until: {} } },
    })),
  )
  const index = createSearchIndex(tools)
  index.search('warm up', everywhere)
  const started = process.cpuUsage()
  expect(index.search('journal account', everywhere).order).toHaveLength(Math.ceil(20_000 / 7))
  // Ten times the target: a shared machine must not make this fail, a quadratic search must.
  expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
})
