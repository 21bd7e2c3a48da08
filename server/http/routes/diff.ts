/** Two references compared. Nothing is started for it: a link can be made by anybody. */
import { diffEndpoints } from '../../../core/api/versions.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { CompareSides } from '../../diff/diff-service.ts'
import { readReference } from '../../diff/read-reference.ts'
import type { KnownSnapshots } from '../../snapshots/find-snapshot.ts'
import type { SourceContext } from '../../sources/source.ts'
import { serve } from '../serve.ts'

export const diffRoutes = (
  catalog: Catalog,
  context: SourceContext,
  versions: KnownSnapshots,
  compare: CompareSides,
) =>
  serve(diffEndpoints, {
    'GET /api/diff': async ({ query, signal }) => {
      const options = { catalog, context, versions, signal, mayStart: false }
      const [a, b] = await Promise.all([readReference(query.a, options), readReference(query.b, options)])
      return compare(a, b, signal)
    },
  })
