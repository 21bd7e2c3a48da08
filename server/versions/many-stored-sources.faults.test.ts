/** The cost of thousands of sources that the store keeps is linear, from the start to what the page asks first. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { Catalog } from '../catalog/catalog.ts'
import { StoredSources } from '../catalog/stored-sources.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { sqlite, type TestDatabase } from '../store/testkit.ts'
import { expectLinear } from '../testing/expect-linear.ts'
import { recentChanges } from './recent-changes.ts'
import { SnapshotRecorder } from './snapshot-recorder.ts'

const folder = mkdtempSync(join(tmpdir(), 'toolscope-many-kept-'))
const databases: TestDatabase[] = []
afterAll(async () => {
  await Promise.all(databases.map(database => database.remove()))
  rmSync(folder, { recursive: true, force: true })
})

const say = (line: string) => expect.unreachable(line)

function open(store: Store, environment: NodeJS.ProcessEnv) {
  const context = { directory: folder, environment }
  const catalog = new Catalog(context)
  const { sources } = catalog
  const versions = new SnapshotRecorder({ sources, store: storedSnapshots(store), environment, say })
  const refuse = () => expect.unreachable('toolscope.json is not asked for')
  const kept = new StoredSources({ sources, store, context, say, config: { preview: refuse, write: refuse } })
  return { catalog, kept, versions }
}

/** Returns a store that keeps as many pasted manifests, and versions of them. */
async function fill(count: number) {
  const database = await sqlite.create()
  databases.push(database)
  const store = await database.open()
  const environment = { ...process.env, ...database.environment }
  const { catalog, kept, versions } = open(store, environment)
  const tools = (at: number) => JSON.stringify({ tools: [{ name: `look${at}`, inputSchema: {} }] })
  await kept.addAll(
    Array.from({ length: count }, (_, at) => ({ entry: { text: tools(at) }, name: `kept${at}` })),
  )
  await versions.close()
  await catalog.close()
  return { store, environment }
}

test('stored sources: thousands are opened, recorded, listed and searched for changes in linear time', async () => {
  const filled = new Map([1_000, 4_000].map(count => [count, fill(count)]))
  await expectLinear(async count => {
    const known = await filled.get(count)
    if (known === undefined) return expect.unreachable(`no store keeps ${count}`)
    const { catalog, kept, versions } = open(known.store, known.environment)
    return async () => {
      await kept.load()
      const states = catalog.sources.list()
      expect(states.filter(({ status }) => status === 'ready')).toHaveLength(count)
      const names = states.map(({ name }) => name)
      expect(await recentChanges(versions, names, [], Date.now())).toEqual([])
      expect(names.filter(name => versions.currentOf(name) === undefined)).toEqual([])
      await versions.close()
      await catalog.close()
    }
  })
})
