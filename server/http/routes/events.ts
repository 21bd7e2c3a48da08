/**
 * One stream of live changes (server-sent events): `catalog` (CatalogEvent) for each change of a source, `changed`
 * (SourceChanged) once it is known how bad a change of its manifest is, `notice` (text) for what people should know,
 * `store` whenever something was written to the memory, here or by another replica.
 */
import { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import type { CatalogEvent } from '../../../core/api/events.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Versions } from '../../snapshots/snapshot-recorder.ts'
import type { Store } from '../../store/store.ts'
import type { Notices } from '../../watch/notices.ts'

/** A comment this often keeps the connection from being taken for dead. */
const HEARTBEAT_MS = 20_000

export interface EventParts {
  readonly catalog: Catalog
  readonly versions: Pick<Versions, 'onChanged'>
  readonly notices: Notices
  readonly store: Store
}

export function eventRoutes({ catalog, versions, notices, store }: EventParts): Hono {
  const routes = new Hono()
  routes.get('/events', context => {
    // A proxy in between must not gather what is said bit by bit.
    context.header('X-Accel-Buffering', 'no')
    return streamSSE(context, async events => {
      // A catalog that does not say what changed may have changed in everything.
      const stop = catalog.sources.onChange(
        (change: CatalogEvent = { what: 'tools', source: '*' }) =>
          void events.writeSSE({ event: 'catalog', data: JSON.stringify(change) }),
      )
      const stopChanged = versions.onChanged(
        changed => void events.writeSSE({ event: 'changed', data: JSON.stringify(changed) }),
      )
      const stopNotices = notices.onNotice(
        text => void events.writeSSE({ event: 'notice', data: JSON.stringify(text) }),
      )
      const stopStore = store.onChange(
        change => void events.writeSSE({ event: 'store', data: JSON.stringify(change) }),
      )
      const heartbeat = setInterval(() => void events.write(': still here\n\n'), HEARTBEAT_MS)
      await events.write(': open\n\n')
      await new Promise<void>(resolve => events.onAbort(resolve))
      clearInterval(heartbeat)
      stop()
      stopChanged()
      stopNotices()
      stopStore()
    })
  })
  return routes
}
