/** The catalog over HTTP: flat, as a tree, one tool whole, and the agents. */
import { catalogEndpoints } from '../../../core/api/catalog.ts'
import { rowPage, toolPage } from '../../../core/catalog/catalog-page.ts'
import { dynamicInstructions } from '../../catalog/agent-instructions.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { serve } from '../serve.ts'

export const toolRoutes = (catalog: Catalog) =>
  serve(catalogEndpoints, {
    'GET /api/rows': ({ query }) => rowPage(catalog.tools.search(), query),
    'GET /api/agents': () => ({ agents: catalog.agents() }),
    'POST /api/agents/{source}/{name}/instructions': ({ params, body, signal }) =>
      dynamicInstructions(catalog.sources, params, body.variables, signal),
    'GET /api/tools': ({ query }) => toolPage(catalog.tools.search(), query),
    'GET /api/tools/{+ref}': ({ params }) => catalog.tools.detail(params.ref),
  })
