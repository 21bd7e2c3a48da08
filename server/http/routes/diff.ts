/** Two references compared. Nothing is started for it: a link can be made by anybody. */
import { Hono } from 'hono'
import { type DiffAnswer, diffQuery } from '../../../core/api/api.ts'
import { diffManifests } from '../../../core/diff/diff-manifests.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { type KnownVersions, readReference } from '../../diff/diff-reference.ts'
import type { SourceContext } from '../../sources/source.ts'
import { parseWith } from './parse.ts'

export function diffRoutes(catalog: Catalog, context: SourceContext, versions: KnownVersions): Hono {
  const routes = new Hono()
  routes.get('/diff', async answer => {
    const query = parseWith(diffQuery, answer.req.query())
    const options = { catalog, context, versions, signal: answer.req.raw.signal, mayStart: false }
    const [a, b] = await Promise.all([readReference(query.a, options), readReference(query.b, options)])
    const pause = () => new Promise<void>(resolve => setImmediate(resolve))
    const report = await diffManifests(a.side, b.side, { pause })
    return answer.json({ a, b, report } satisfies DiffAnswer)
  })
  return routes
}
