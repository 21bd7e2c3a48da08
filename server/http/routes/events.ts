/** One event stream of live changes: of the catalog, of manifests and of the store; and notices. */
import { eventEndpoints } from '../../../core/api/events.ts'
import type { LiveEvents, Sees } from '../live-events.ts'
import { serve } from '../serve-endpoints.ts'
import type { ServerActivity } from '../server-activity.ts'

/** @param sees the changes that its users may know of; undefined: all */
export const eventRoutes = (live: LiveEvents, activity: Pick<ServerActivity, 'demandOpen'>, sees?: Sees) =>
  serve(eventEndpoints, {
    // A browser that reconnects by itself sends the header, and the same address as before.
    'GET /api/events': ({ query, context }) => {
      activity.demandOpen()
      return live.subscribe({ after: context.req.header('last-event-id') ?? query.after, sees })
    },
  })
