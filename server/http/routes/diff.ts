/** Two references compared. Nothing is started for it: a link can be made by anybody. */
import { Hono } from 'hono'
import { type DiffAnswer, diffQuery } from '../../../core/api/api.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { CompareManifests } from '../../diff/diff-service.ts'
import { readReference } from '../../diff/read-reference.ts'
import type { KnownVersions } from '../../snapshots/find-snapshot.ts'
import type { SourceContext } from '../../sources/source.ts'
import { parseWith } from './parse.ts'

export function diffRoutes(
  catalog: Catalog,
  context: SourceContext,
  versions: KnownVersions,
  compare: CompareManifests,
): Hono {
  const routes = new Hono()
  routes.get('/diff', async answer => {
    const query = parseWith(diffQuery, answer.req.query())
    const options = { catalog, context, versions, signal: answer.req.raw.signal, mayStart: false }
    const [a, b] = await Promise.all([readReference(query.a, options), readReference(query.b, options)])
    const report = await compare(a.side, b.side, { signal: options.signal })
    return answer.json({ a, b, report } satisfies DiffAnswer)
  })
  return routes
}
