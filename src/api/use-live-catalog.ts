import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { CatalogEvent, LiveChanges, SourceChanged, StoreEvent } from '../../core/api/events.ts'
import { type LiveState, useBackend } from './backend.ts'
import { resourceChangeKey } from './queries.ts'
import { anySource, isStale, isStaleInStore } from './stale-queries.ts'

/** The changes that a page may have missed. */
const anyCatalog = (['sources', 'tools', 'agents'] as const).map(what => ({ what, source: anySource }))
const anyStored = (['invocation', 'snapshot', 'example', 'status'] as const).map(kind => ({ kind }))

interface News {
  onSourceChanged(changed: SourceChanged): void
  onNotice(text: string): void
}

/**
 * Refetches the stale queries of the catalog and of the store while mounted. Returns whether the server is reachable.
 * @param news receives the other events; must be the same object in every render
 */
export function useLiveCatalog(news: News): LiveState {
  const backend = useBackend()
  const client = useQueryClient()
  const [state, setState] = useState<LiveState>('live')
  useEffect(() => {
    const reads = new StaleReads(client)
    const stop = backend.listen?.({
      onState: setState,
      onChanges(changes) {
        reads.add(changes)
        for (const changed of changes.changed ?? []) news.onSourceChanged(changed)
        for (const text of changes.notices ?? []) news.onNotice(text)
      },
    })
    return () => {
      stop?.()
      reads.stop()
    }
  }, [backend, client, news])
  return state
}

/** Refetches what the changes make stale, as often as the server can take it (`readWithinMs`). */
class StaleReads {
  private readonly client: QueryClient
  /** The hashes of the stale queries: an answer on its way may be of the time before the change. */
  private readonly stale = new Set<string>()
  private timer: ReturnType<typeof setTimeout> | undefined
  private readAt = Number.NEGATIVE_INFINITY

  constructor(client: QueryClient) {
    this.client = client
  }

  add({ missed, catalog = [], changed = [], store = [], readWithinMs }: LiveChanges): void {
    for (const { what, source, uri } of catalog)
      if (what === 'resource')
        this.client.setQueryData(resourceChangeKey(source, uri ?? ''), new Date().toISOString())
    const versions = changed.map(({ source }): StoreEvent => ({ kind: 'snapshot', source }))
    const inCatalog: readonly CatalogEvent[] = missed ? anyCatalog : catalog
    const stored: readonly StoreEvent[] = missed ? anyStored : [...store, ...versions]
    const found = this.client.getQueryCache().findAll({
      predicate: query =>
        inCatalog.some(event => isStale(query, event)) || stored.some(event => isStaleInStore(query, event)),
    })
    for (const { queryHash } of found) this.stale.add(queryHash)
    // A query that is not in use is read when it is used again.
    void this.invalidate('none')
    if (!found.some(query => query.isActive())) return
    const wait = Math.max(Math.random() * readWithinMs, this.readAt + readWithinMs - performance.now())
    this.timer ??= setTimeout(() => {
      this.timer = undefined
      this.readAt = performance.now()
      void this.invalidate('active')
      this.stale.clear()
    }, wait)
  }

  stop(): void {
    clearTimeout(this.timer)
  }

  private invalidate(refetchType: 'none' | 'active'): Promise<void> {
    const predicate = ({ queryHash }: { readonly queryHash: string }) => this.stale.has(queryHash)
    return this.client.invalidateQueries({ refetchType, predicate })
  }
}
