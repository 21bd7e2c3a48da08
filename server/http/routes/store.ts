/** Whether there is memory, and where. */
import { Hono } from 'hono'
import type { StoreState } from '../../../core/history/history.ts'
import type { Store } from '../../store/store.ts'

export function storeRoutes(store: Store): Hono {
  const routes = new Hono()
  routes.get('/store', context =>
    context.json({ ...store.status(), kind: store.dialect } satisfies StoreState),
  )
  return routes
}
