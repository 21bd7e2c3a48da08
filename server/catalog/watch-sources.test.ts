import { expect, test } from 'vitest'
import type { SourceSpec } from '../sources/source.ts'
import { testContext } from '../sources/testkit.ts'
import { Catalog } from './catalog.ts'
import { watchSources } from './watch-sources.ts'

test('source watch: asks only a source that changes for its files', async () => {
  const asked = new Map<string, number>()
  const source = (name: string): SourceSpec => ({
    settings: { name },
    kind: 'test',
    label: name,
    definition: name,
    open: async () => ({
      label: name,
      manifest: async () => ({ tools: [{ name, inputSchema: true }], problems: [], format: 'test' }),
      get watch() {
        asked.set(name, (asked.get(name) ?? 0) + 1)
        return []
      },
      close: async () => {},
    }),
  })
  const catalog = new Catalog(testContext)
  const stop = watchSources(catalog.sources, () => {})
  const names = Array.from({ length: 20 }, (_, index) => `source-${index}`)
  await Promise.all(names.map(name => catalog.sources.open(source(name))))
  expect([...asked]).toEqual(names.map(name => [name, 1]))
  await stop()
  await catalog.close()
})
