/** The catalog over HTTP: as a flat list, as a tree, one complete tool, and the agents. */
import { catalogEndpoints } from '../../../core/api/catalog.ts'
import { cutRowPage, cutToolPage } from '../../../core/catalog/catalog-page.ts'
import type { SearchIndex } from '../../../core/catalog/search-index.ts'
import { countWarnings } from '../../../core/lint/lint-tools.ts'
import { dynamicInstructions } from '../../catalog/agent-instructions.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { hashDefinition } from '../../pins/describe-present.ts'
import type { Pins } from '../../pins/source-pins.ts'
import { inSlices } from '../../workers/run-slices.ts'
import { serve } from '../serve-endpoints.ts'

export const toolRoutes = (catalog: Catalog, pins: Pick<Pins, 'demand' | 'demandItems'>) =>
  serve(catalogEndpoints, {
    'GET /api/rows': async ({ query }) => {
      catalog.refreshExpired()
      return inSlices(cutRowPage(await indexFor(catalog, query), query, countWarnings))
    },
    'GET /api/agents': () => ({ agents: catalog.agents() }),
    'POST /api/agents/{source}/{name}/instructions': async ({ params, body, signal }) => {
      catalog.sources.get(params.source)
      await pins.demandItems(params.source, ({ kind, name }) => kind === 'agent' && name === params.name)
      return dynamicInstructions(catalog.sources, params, body.variables, signal)
    },
    'GET /api/tools': async ({ query }) =>
      cutToolPage(query.surface ? await indexFor(catalog, query) : catalog.tools.search(), query),
    'POST /api/subscriptions': async ({ body: { ref, subscribed } }) => {
      if (subscribed) await pins.demand(catalog.tools.get(ref))
      return catalog.subscribe(ref, subscribed)
    },
    'POST /api/completions': async ({ body: { ref, ...text }, signal }) => {
      await pins.demand(catalog.tools.get(ref))
      return { values: await catalog.complete(ref, text, signal) }
    },
    'GET /api/tools/{+ref}': async ({ params }) => {
      catalog.refreshExpired()
      await catalog.tools.prepareCommands()
      const detail = catalog.detail(params.ref)
      const { session } = catalog.sources.get(detail.source)
      return { ...detail, definition: hashDefinition(catalog.tools.get(params.ref), session) }
    },
  })

/**
 * A search waits until the text of all tools is read. Without a search text the reading starts in the background,
 * because a search will probably follow.
 */
async function indexFor({ tools }: Catalog, { q }: { readonly q: string }): Promise<SearchIndex> {
  const ready = tools.browseReady()
  if (q.trim() !== '') return ready
  // A later search meets the same error and returns it.
  ready.catch(() => undefined)
  return tools.browse()
}
