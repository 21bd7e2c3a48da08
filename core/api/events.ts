/** Live changes. Each names what changed and in which source, so that the page reads only that again. */
import { z } from 'zod'
import { list } from '../json/zod-shapes.ts'
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
   * - `pins`: what is approved of the source, or what is refused of it, may have changed
   */
  what: z.enum(['sources', 'tools', 'agents', 'resource', 'pins']),
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

/** Changes of one kind in the store, here or in another replica, that have the same source and tool. */
export const storeEvent = z.object({
  /** `status`: the store failed or works again. `people`: only replicas receive it. */
  kind: z.enum(['invocation', 'snapshot', 'example', 'people', 'status']),
  /** Absent: of any source. */
  source: z.string().exactOptional(),
  /** Reference of the tool that was called or that has the example. Absent if several tools changed. */
  ref: z.string().exactOptional(),
  /** The calls, or the state of the store (`ready`, `off`). Absent if they are not known. */
  ids: list(z.string()).exactOptional(),
})
export type StoreEvent = z.infer<typeof storeEvent>

/** The changes since the event before. */
const liveChanges = z.object({
  /** Changes were lost or are too many to be listed: everything that was read before may be stale. */
  missed: z.literal(true).exactOptional(),
  catalog: list(catalogEvent).exactOptional(),
  changed: list(sourceChanged).exactOptional(),
  /** Messages for the user. */
  notices: list(z.string()).exactOptional(),
  store: list(storeEvent).exactOptional(),
  /**
   * A page reads what is stale after a random time up to these milliseconds, and then not again for as long. The time
   * grows with the number of open pages, so that they never ask all at once.
   */
  readWithinMs: z.number(),
})
export type LiveChanges = z.infer<typeof liveChanges>

export const eventEndpoints = defineEndpoints({
  'GET /api/events': {
    right: 'read',
    about:
      'Live changes of the catalog, of manifests and of the store, and notices: at most 4 events a second',
    query: z.object({
      /** The id of the last event that was received (or the header `Last-Event-ID`): the changes since then come first. */
      after: z.string().max(100).optional(),
    }),
    format: 'events',
    answer: z.object({ changes: liveChanges }),
  },
})
