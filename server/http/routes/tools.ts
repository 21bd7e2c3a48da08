/** The catalog over HTTP: flat, as a tree, and one tool whole. */
import { Hono } from 'hono'
import { rowsQuery, toolsQuery } from '../../../core/api/api.ts'
import { rowPage } from '../../../core/catalog/row-page.ts'
import { toolPage } from '../../../core/catalog/tool-page.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import { parseWith } from './parse.ts'

export function toolRoutes(catalog: Catalog): Hono {
  const routes = new Hono()
  routes.get('/tools', context =>
    context.json(toolPage(catalog.tools.search(), parseWith(toolsQuery, context.req.query()))),
  )
  routes.get('/rows', context =>
    context.json(rowPage(catalog.tools.search(), parseWith(rowsQuery, context.req.query()))),
  )
  // A reference holds slashes, encoded or not.
  routes.get('/tools/:ref{.+}', context => context.json(catalog.tools.detail(context.req.param('ref'))))
  return routes
}
