/**
 * The events of `GET /api/events` (server-sent events). Each names what changed, so that a listener reads again only that.
 */

/**
 * One change of the catalog (SSE event `catalog`). The emitter sends one event for each thing that changed and each
 * source that it changed for: where a tool of source A is hidden because source B provides it too, `tools` is sent for both.
 */
export interface CatalogEvent {
  /**
   * - `sources`: the source was added or removed, or its state changed (status, error, counts, times)
   * - `tools`: the list of tools that the catalog shows of the source is another one
   * - `agents`: its agents or their variables changed
   */
  readonly what: 'sources' | 'tools' | 'agents'
  /** Name of the source; `*` stands for every source. */
  readonly source: string
}
