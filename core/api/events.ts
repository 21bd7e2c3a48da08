/** Live changes. Each event says what changed and of which source, so that a listener reads again only that. */
import { z } from 'zod'
import { snapshotCauses } from '../manifest/snapshot.ts'
import { defineEndpoints } from './endpoint.ts'
import { severityCounts } from './versions.ts'

/**
 * One change of the catalog. The emitter sends one event for each thing that changed and each source that it changed
 * for: where a tool of source A is hidden because source B provides it too, `tools` is sent for both.
 */
const catalogEvent = z.object({
  /**
   * - `sources`: the source was added or removed, or its state changed (status, error, counts, times)
   * - `tools`: the list of tools that the catalog shows of the source is another one
   * - `agents`: its agents or their variables changed
   * - `resource`: what stands at `uri`, which somebody subscribed to, is another text
   */
  what: z.enum(['sources', 'tools', 'agents', 'resource']),
  /** Name of the source; `*` stands for every source. */
  source: z.string(),
  uri: z.string().exactOptional(),
})
export type CatalogEvent = z.infer<typeof catalogEvent>

/** A source's manifest is another one than before, and it is known how bad that is. */
const sourceChanged = z.object({
  source: z.string(),
  cause: z.enum(snapshotCauses),
  /** References of the two sides. */
  from: z.string(),
  to: z.string(),
  counts: severityCounts,
  toolCount: z.number(),
})
export type SourceChanged = z.infer<typeof sourceChanged>

/**
 * A change of the store, here or in another replica. `status`: whether it works changed. The id is that of the call,
 * the source or version (`acme`, `acme@3`), or the hash of the tool whose examples changed; `*`: many rows changed.
 */
const storeEvent = z.object({ kind: z.enum(['invocation', 'snapshot', 'example', 'status']), id: z.string() })
export type StoreEvent = z.infer<typeof storeEvent>

const liveEvents = z.object({
  catalog: catalogEvent,
  changed: sourceChanged,
  /** A text that people should know. */
  notice: z.string(),
  store: storeEvent,
})

export const eventEndpoints = defineEndpoints({
  'GET /api/events': {
    right: 'read',
    about: 'Live changes: `catalog`, `changed` (a manifest), `store` and `notice`',
    format: 'events',
    answer: liveEvents,
  },
})
