import { expect, test } from 'vitest'
import type { VersionList } from '../../../core/api/versions.ts'
import { makeChangelog } from '../../../core/report/make-changelog.ts'
import type { ManifestTool } from '../../../core/tool/tool.ts'
import { Catalog } from '../../catalog/catalog.ts'
import { createTextSource } from '../../recognise/manifest-file.ts'
import { testContext } from '../../sources/testkit.ts'
import { createSourceChangelogs } from '../../versions/source-changelog.ts'
import { testRecorder } from '../../versions/testkit.ts'
import { createHono } from '../serve-endpoints.ts'
import { toolRoutes } from './tools.ts'
import { versionRoutes } from './versions.ts'

async function served(...tools: ManifestTool[]) {
  const catalog = new Catalog(testContext)
  const versions = testRecorder(catalog)
  await catalog.sources.open(createTextSource('acme.json', JSON.stringify({ tools })))
  await versions.idle()
  const app = createHono()
  app
    .route(
      '/',
      versionRoutes(
        catalog,
        versions,
        createSourceChangelogs(
          ({ versions: all, ...options }) => makeChangelog(all, options),
          async () => ({}),
        ),
        { readOnly: false, fixedSources: false },
      ),
    )
    .route('/', toolRoutes(catalog))
  return async (path: string, method = 'GET') => {
    const response = await app.request(path, { method })
    return { status: response.status, body: (await response.json()) as VersionList & { name?: string } }
  }
}
const tool = (name: string): ManifestTool => ({ name, inputSchema: { type: 'object' } })

test('/api/sources/…/versions: sets and removes labels, and refuses invalid labels and versions', async () => {
  const ask = await served(tool('x'))
  expect((await ask('/api/sources/acme/versions/1/labels/v1.0', 'PUT')).body.versions).toMatchObject([
    { reference: 'acme@1', labels: ['v1.0'], current: true },
  ])
  expect((await ask('/api/sources/acme/versions/1/labels/2026-01-01', 'PUT')).status).toBe(400)
  expect((await ask('/api/sources/acme/versions/7/labels/v2', 'PUT')).status).toBe(404)
  expect((await ask('/api/sources/acme/versions/x/labels/v2', 'PUT')).status).toBe(404)
  expect((await ask('/api/sources/acme/labels/v1.0', 'DELETE')).body.versions).toMatchObject([{ labels: [] }])
  expect((await ask('/api/sources/nobody/versions')).body).toEqual({ versions: [], more: false, kept: false })
  expect((await ask('/api/sources/acme/versions?limit=0')).status).toBe(400)
})

test('/api/tools/…/versions: gives the versions of a tool by its reference, whatever its name is', async () => {
  const ask = await served(tool('a/b c'), tool('a/versions'))
  const listed = await ask(`/api/tools/${encodeURIComponent('acme/a/b c')}/versions`)
  expect(listed.body.versions).toMatchObject([{ reference: 'acme@1', touch: 'added' }])
  expect((await ask('/api/tools/acme/a/versions')).body.name).toBe('a/versions')
  const own = await ask(`/api/tools/${encodeURIComponent('acme/a/versions')}/versions`)
  expect(own.body.versions).toHaveLength(1)
  expect((await ask('/api/tools/acme%2Fnone/versions')).status).toBe(404)
})

test('/api/sources/…/changelog: gives the changelog of a source by its name', async () => {
  const ask = await served(tool('x'))
  expect((await ask('/api/sources/acme/changelog')).body).toMatchObject({
    kind: 'snapshot',
    entries: [{ name: 'acme@1', sentence: 'First version: 1 tool.' }],
  })
  expect((await ask('/api/sources/acme/changelog?limit=0')).status).toBe(400)
  expect((await ask('/api/sources/acme/changelog?cursor=acme@7')).status).toBe(404)
})
