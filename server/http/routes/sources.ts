/** The sources: their state, another one, and reading a list again. */
import { sourceEndpoints } from '../../../core/api/sources.ts'
import { AppError } from '../../../core/errors.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { exampleSources } from '../../package/sample-sources.ts'
import { detectSources } from '../../sources/index.ts'
import { manifestText } from '../../sources/manifest-file.ts'
import type { SourceContext } from '../../sources/source.ts'
import { serve } from '../serve.ts'

export const sourceRoutes = (catalog: Catalog, context: SourceContext) => {
  const listed = () => ({ sources: catalog.sources.list(), examples: exampleSources() })
  return serve(sourceEndpoints, {
    'GET /api/sources': listed,
    'POST /api/sources': async ({ body }) => {
      const specs = await detectSources(body.input, context)
      const [first, ...others] = specs
      if (first === undefined) throw new AppError('source-unrecognised', `${body.input} names no server`)
      if (others.length === 0) return catalog.sources.openNamed(first)
      // An mcp.json names several: all are opened, the first is the answer, and the event stream reports the others.
      const rest = others.map(spec => catalog.sources.open(spec))
      const [opened] = await Promise.all([catalog.sources.open(first), ...rest])
      return opened
    },
    'POST /api/manifests': ({ body }) => catalog.sources.openNamed(manifestText(body.name, body.text)),
    'POST /api/sources/{name}/refresh': ({ params }) => catalog.sources.refresh(params.name),
    'POST /api/sources/{name}/restart': ({ params }) => catalog.sources.restart(params.name),
    'POST /api/sources/{name}/stop': ({ params }) => catalog.sources.stop(params.name),
    'DELETE /api/sources/{name}': async ({ params }) => {
      await catalog.sources.remove(params.name)
      return listed()
    },
    'POST /api/sources/{name}/restore': ({ params }) => catalog.sources.restore(params.name),
    'PUT /api/sources/{name}/directory': ({ params, body }) =>
      catalog.sources.setDirectory(params.name, body.directory.trim()),
    'GET /api/sources/{name}/log': ({ params }) => ({ text: catalog.sources.get(params.name).log() }),
  })
}
