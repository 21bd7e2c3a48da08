/** Live changes. Each event names what changed and in which source, so that the page reads only that again. */
import { z } from 'zod'
import { snapshotCauses } from '../manifest/snapshot.ts'
import { defineEndpoints } from './endpoint.ts'
import { severityCounts } from './versions.ts'

/**
 * One change of the catalog. Each changed thing gives one event per affected source: if a tool of source A is hidden
 * because source B provides it too, `tools` is sent for both.
 */
const catalogEvent = z.object({
  /**
   * - `sources`: the source was added or removed, or its state changed (status, error, counts, times)
   * - `tools`: the list of tools that the catalog shows of the source changed
   * - `agents`: its agents or their variables changed
   * - `resource`: the text at `uri`, which a user subscribed to, changed
   */
  what: z.enum(['sources', 'tools', 'agents', 'resource']),
  /** Name of the source; `*` means every source. */
  source: z.string(),
  uri: z.string().exactOptional(),
})
export type CatalogEvent = z.infer<typeof catalogEvent>

/** A source's manifest changed, and the change was rated. */
const sourceChanged = z.object({
  source: z.string(),
  cause: z.enum(snapshotCauses),
  /** References of the two versions. */
  from: z.string(),
  to: z.string(),
  counts: severityCounts,
  toolCount: z.number(),
})
export type SourceChanged = z.infer<typeof sourceChanged>

/**
 * A change of the store, here or in another replica. `status`: the store failed or works again. The id is that of the
 * call, the source or version (`acme`, `acme@3`), or the hash of the tool whose examples changed. `*`: many rows
 * changed.
 */
const storeEvent = z.object({ kind: z.enum(['invocation', 'snapshot', 'example', 'status']), id: z.string() })
export type StoreEvent = z.infer<typeof storeEvent>

const liveEvents = z.object({
  catalog: catalogEvent,
  changed: sourceChanged,
  /** A message for the user. */
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
