/**
 * One stream of live changes (server-sent events): `catalog` whenever a source's list or state changed, `store`
 * whenever something was written to the memory, here or by another replica.
 */
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { Catalog } from '../catalog.ts'
import type { Store } from '../store/store.ts'

/** A comment this often keeps the connection from being taken for dead. */
const HEARTBEAT_MS = 20_000

export function eventRoutes(catalog: Catalog, store: Store): Hono {
  const routes = new Hono()
  routes.get('/events', context =>
    streamSSE(context, async events => {
      let version = 0
      const stop = catalog.onChange(() => void events.writeSSE({ event: 'catalog', data: String(++version) }))
      const stopStore = store.onChange(
        change => void events.writeSSE({ event: 'store', data: JSON.stringify(change) }),
      )
      const heartbeat = setInterval(() => void events.write(': still here\n\n'), HEARTBEAT_MS)
      await events.write(': open\n\n')
      await new Promise<void>(resolve => events.onAbort(resolve))
      clearInterval(heartbeat)
      stop()
      stopStore()
    }),
  )
  return routes
}
