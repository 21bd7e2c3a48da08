/** The sources: their state, another one, and reading a list again. */
import { Hono } from 'hono'
import { openManifestBody, openSourceBody, type SourceList, type SourceLog } from '../../../core/api/api.ts'
import { AppError } from '../../../core/errors.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { exampleSources } from '../../package/sample-sources.ts'
import { detectSources } from '../../sources/index.ts'
import { manifestText } from '../../sources/manifest-text.ts'
import type { SourceContext } from '../../sources/source.ts'
import { readBody } from './parse.ts'

export function sourceRoutes(catalog: Catalog, context: SourceContext): Hono {
  const routes = new Hono()
  routes.get('/sources', answer =>
    answer.json({ sources: catalog.sources.list(), examples: exampleSources() } satisfies SourceList),
  )
  routes.post('/sources', async answer => {
    const { body } = await readBody(answer, openSourceBody)
    // An mcp.json names several; all are opened and the first answers, the others are told of by the event stream.
    const specs = await detectSources(body.input, context)
    const [first] = await Promise.all(specs.map(spec => catalog.sources.open(spec)))
    if (first === undefined) throw new AppError('source-unrecognised', `${body.input} names no server`)
    return answer.json(first, 201)
  })
  routes.post('/manifests', async answer => {
    const { body } = await readBody(answer, openManifestBody)
    return answer.json(await catalog.sources.open(manifestText(body.name, body.text)), 201)
  })
  routes.post('/sources/:name/refresh', async answer =>
    answer.json(await catalog.sources.refresh(answer.req.param('name'))),
  )
  routes.post('/sources/:name/restart', async answer =>
    answer.json(await catalog.sources.restart(answer.req.param('name'))),
  )
  routes.post('/sources/:name/stop', async answer =>
    answer.json(await catalog.sources.stop(answer.req.param('name'))),
  )
  routes.get('/sources/:name/log', answer =>
    answer.json({ text: catalog.sources.get(answer.req.param('name')).log() } satisfies SourceLog),
  )
  return routes
}
