import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { SourceSpec } from '../sources/source.ts'
import { testContext } from '../sources/testkit.ts'
import { aboutTime } from '../testing/about-time.ts'
import { Catalog } from './catalog.ts'
import { type FileWatch, watchFiles, watchSources } from './watch-files.ts'

let folder: string
let watch: FileWatch
let changes: number
const wait = (milliseconds: number) => new Promise(resolve => setTimeout(resolve, milliseconds))
const path = (name: string) => join(folder, name)

/** Waits for the change with this number, and a moment longer for one too many. */
async function changesAre(count: number, within = 30_000): Promise<void> {
  await expect.poll(() => changes, { timeout: within, interval: 20 }).toBe(count)
  await wait(350)
  expect(changes).toBe(count)
}

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'toolscope-watch-')))
  for (const name of ['a.json', 'b.json', 'other.json']) writeFileSync(path(name), '1')
  changes = 0
  watch = watchFiles(
    () => changes++,
    message => {
      throw new Error(message)
    },
  )
  watch.set([path('a.json'), path('b.json'), path('later.json')])
  await wait(300)
})
afterEach(async () => {
  await watch.close()
  rmSync(folder, { recursive: true, force: true })
})

describe('file watch', () => {
  test('reports one change for a file written in place in many pieces', aboutTime, async () => {
    for (let piece = 0; piece < 20; piece++) {
      appendFileSync(path('a.json'), 'piece')
      await wait(30)
    }
    await changesAre(1)
    appendFileSync(path('b.json'), 'more')
    await changesAre(2)
  })

  test('reports every replacement by a rename', async () => {
    for (let round = 1; round <= 3; round++) {
      writeFileSync(path('a.json.tmp'), `round ${round}`)
      renameSync(path('a.json.tmp'), path('a.json'))
      await changesAre(round)
    }
  })

  test('reports one change for a file removed and written again at once, and one for a removed file', async () => {
    rmSync(path('a.json'))
    await wait(300)
    writeFileSync(path('a.json'), 'again')
    await changesAre(1)
    rmSync(path('a.json'))
    await changesAre(2)
    writeFileSync(path('a.json'), 'back after a while')
    await changesAre(3)
  })

  test('reports a listed file that is created later, but not other files of its folder', async () => {
    writeFileSync(path('other.json'), 'changed')
    mkdirSync(path('folder'))
    await changesAre(0, 600)
    writeFileSync(path('later.json'), 'here')
    await changesAre(1)
  })

  test('ignores files that are no longer in its set', async () => {
    watch.set([path('other.json')])
    await wait(300)
    writeFileSync(path('a.json'), 'changed')
    await changesAre(0, 600)
    writeFileSync(path('other.json'), 'changed')
    await changesAre(1)
  })
})

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
