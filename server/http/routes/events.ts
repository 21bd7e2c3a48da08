/** One event stream of live changes: of the catalog, of manifests and of the store; and notices. */
import { eventEndpoints } from '../../../core/api/events.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Notices } from '../../process/events.ts'
import type { Store } from '../../store/store.ts'
import type { SnapshotRecorder } from '../../versions/snapshot-recorder.ts'
import { serve } from '../serve-endpoints.ts'

export interface EventParts {
  readonly catalog: Catalog
  readonly versions: Pick<SnapshotRecorder, 'onChanged'>
  readonly notices: Notices
  readonly store: Store
}

export const eventRoutes = ({ catalog, versions, notices, store }: EventParts) =>
  serve(eventEndpoints, {
    'GET /api/events': () => send => {
      const stops = [
        catalog.sources.onChange(change => send('catalog', change)),
        versions.onChanged(changed => send('changed', changed)),
        notices.onNotice(text => send('notice', text)),
        store.onChange(change => send('store', change)),
      ]
      return () => {
        for (const stop of stops) stop()
      }
    },
  })
