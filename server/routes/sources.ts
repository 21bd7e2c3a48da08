/** The sources: their state, another one, and reading a list again. */
import { Hono } from 'hono'
import { openManifestBody, openSourceBody, type SourceList } from '../../core/api.ts'
import type { Catalog } from '../catalog.ts'
import { exampleSources } from '../examples.ts'
import { detectSource } from '../sources/index.ts'
import { manifestText } from '../sources/manifest-text.ts'
import type { SourceContext } from '../sources/source.ts'
import { readBody } from './parse.ts'

export function sourceRoutes(catalog: Catalog, context: SourceContext): Hono {
  const routes = new Hono()
  routes.get('/sources', answer =>
    answer.json({ sources: catalog.sources(), examples: exampleSources() } satisfies SourceList),
  )
  routes.post('/sources', async answer => {
    const { body } = await readBody(answer, openSourceBody)
    return answer.json(await catalog.open(await detectSource(body.input, context)), 201)
  })
  routes.post('/manifests', async answer => {
    const { body } = await readBody(answer, openManifestBody)
    return answer.json(await catalog.open(manifestText(body.name, body.text)), 201)
  })
  routes.post('/sources/:name/refresh', async answer =>
    answer.json(await catalog.refresh(answer.req.param('name'))),
  )
  return routes
}
