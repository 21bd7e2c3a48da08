/** A NUL, which PostgreSQL refuses in every text, where the name of something belongs. */
import { afterEach, describe, expect, test } from 'vitest'
import { Catalog } from '../../catalog/catalog.ts'
import { createTextSource } from '../../recognise/manifest-file.ts'
import { testContext } from '../../sources/testkit.ts'
import { storedSnapshots } from '../../store/snapshots.ts'
import { databases, type TestDatabase } from '../../store/testkit.ts'
import { SnapshotRecorder } from '../../versions/snapshot-recorder.ts'
import { createHono } from '../serve-endpoints.ts'
import { historyRoutes } from './history.ts'
import { versionRoutes } from './versions.ts'

describe.each(databases)('routes on $dialect', ({ create }) => {
  let database: TestDatabase
  afterEach(() => database.remove())

  test('routes: refuse a NUL in a name, and keep the versions of a source whose own name holds one', async () => {
    database = await create()
    const store = await database.open()
    const catalog = new Catalog(testContext)
    const said: string[] = []
    const versions = new SnapshotRecorder({
      sources: catalog.sources,
      store: storedSnapshots(store),
      environment: {},
      say: line => said.push(line),
    })
    const { name } = await catalog.sources.open(createTextSource('nul\0', '{"tools":[{"name":"x"}]}'))
    await versions.idle()
    const refuse = () => expect.unreachable('no changelog is asked for')
    const app = createHono()
      .route(
        '/',
        versionRoutes(catalog, versions, { pageOf: refuse }, { readOnly: false, fixedSources: false }),
      )
      .route('/', historyRoutes(store))
    const statusOf = async (path: string, method = 'GET') => (await app.request(path, { method })).status
    expect(await statusOf(`/api/sources/${name}/versions`)).toBe(200)
    expect(await statusOf(`/api/sources/${name}/versions/1/labels/v1`, 'PUT')).toBe(200)
    for (const path of ['/api/sources/nul%00/versions', '/api/history/%00'])
      expect(await statusOf(path), path).toBe(400)
    expect(await statusOf(`/api/sources/${name}/labels/%00`, 'DELETE')).toBe(400)
    for (const filter of ['source', 'tool', 'text'])
      expect(await statusOf(`/api/history?${filter}=a%00b`), filter).toBe(200)
    expect(said).toEqual([])
    await catalog.close()
  })
})
