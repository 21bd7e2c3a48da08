/** The agents of the catalog's llm-functions directories. */
import { Hono } from 'hono'
import type { AgentList } from '../../../core/api/api.ts'
import type { Catalog } from '../../catalog/catalog.ts'

export function agentRoutes(catalog: Catalog): Hono {
  const routes = new Hono()
  routes.get('/agents', context => context.json({ agents: catalog.agents() } satisfies AgentList))
  return routes
}
