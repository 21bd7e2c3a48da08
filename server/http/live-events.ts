/**
 * The live events of all open pages. Changes are gathered, numbered and made into text once; each page has a stream that
 * receives this text. A page whose connection is slow, or that was away, receives one event with all that it missed.
 */
import { randomBytes } from 'node:crypto'
import type { CatalogEvent, LiveChanges, SourceChanged } from '../../core/api/events.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Pins } from '../pins/source-pins.ts'
import type { Notices } from '../process/events.ts'
import { ChangeGroups } from '../store/change-groups.ts'
import type { Store } from '../store/store.ts'
import type { SnapshotRecorder } from '../versions/snapshot-recorder.ts'

export interface EventParts {
  readonly catalog: { readonly sources: Pick<Catalog['sources'], 'onChange'> }
  readonly versions: Pick<SnapshotRecorder, 'onChanged'>
  readonly pins: { readonly changes: Pick<Pins['changes'], 'on'> }
  readonly notices: Pick<Notices, 'onNotice'>
  readonly store: Pick<Store, 'onChange'>
}

/**
 * Returns whether the user of a page may know of a source. It is asked with `undefined` about notices, which may name
 * any source. Changes that name no source have no other content, so each page receives them.
 */
export type Sees = (source: string | undefined) => boolean

export interface Subscription {
  /** The id of the last event that the page received; undefined for a new page. */
  readonly after?: string | undefined
  /** Absent: everything. Pages with the same function share the text of an event: use one function for each user. */
  readonly sees?: Sees | undefined
  /** Ends the stream. */
  readonly signal?: AbortSignal | undefined
}

/** The shortest time between two events of a page: at most 4 arrive within a second, also on a busy machine. */
const minGatherMs = 300
/** With many pages, events are rarer: this time for each page. */
const gatherShareMs = 1
/** The first change after a pause waits this long for others that belong to it. */
const firstGatherMs = 10
/** How long a page waits for each open page before it reads again. */
const readShareMs = 40
const maxReadMs = 60_000
/** Events that stay in memory, for pages that were away. */
const maxSent = 100
const maxListed = 200
const heartbeatMs = 20_000

const encoder = new TextEncoder()

interface OpenPage {
  readonly sees: Sees | undefined
  readonly stream: ReadableStreamDefaultController<Uint8Array>
  /** The number of the last event that it received. */
  number: number
  /** Stops listening to the signal that ends the stream. */
  readonly release: () => void
}

/** Changes of one time, which may become one event. */
class GatheredChanges {
  private missed = false
  private catalog = new Map<string, CatalogEvent>()
  private changed: SourceChanged[] = []
  private notices: string[] = []
  readonly store = new ChangeGroups()

  addCatalog(event: CatalogEvent): void {
    this.catalog.set(JSON.stringify([event.what, event.source, event.uri]), event)
    this.limit()
  }

  addChanged(changed: SourceChanged): void {
    this.changed.push(changed)
    this.limit()
  }

  addNotice(text: string): void {
    this.notices.push(text)
    this.limit()
  }

  /** Changes are not known. */
  addMissed(): void {
    this.missed = true
  }

  addAll(others: GatheredChanges): void {
    this.missed ||= others.missed
    for (const event of others.catalog.values()) this.addCatalog(event)
    for (const changed of others.changed) this.addChanged(changed)
    for (const text of others.notices) this.addNotice(text)
    for (const event of others.store.toEvents()) this.store.addEvent(event)
  }

  /** Returns the part that a user may know of; undefined if it is empty. */
  toChanges(sees: Sees | undefined): Omit<LiveChanges, 'readWithinMs'> | undefined {
    const isVisible = ({ source }: { readonly source?: string }) =>
      sees === undefined || source === undefined || source === '*' || sees(source)
    const lists = {
      catalog: [...this.catalog.values()].filter(isVisible),
      changed: this.changed.filter(isVisible),
      notices: sees === undefined || sees(undefined) ? this.notices : [],
      store: this.store.toEvents().filter(isVisible),
    }
    const filled = Object.entries(lists).filter(([, items]) => items.length > 0)
    if (!this.missed && filled.length === 0) return undefined
    return { ...(this.missed && { missed: true as const }), ...Object.fromEntries(filled) }
  }

  private limit(): void {
    if (this.catalog.size + this.changed.length + this.notices.length <= maxListed) return
    this.missed = true
    this.catalog = new Map()
    this.changed = []
    this.notices = []
  }
}

export class LiveEvents {
  /** Distinguishes the numbers of this process from those of other replicas and of earlier runs. */
  private readonly run = randomBytes(6).toString('base64url')
  private number = 0
  private readonly sent: { readonly number: number; readonly changes: GatheredChanges }[] = []
  private gathered: GatheredChanges | undefined
  private timer: NodeJS.Timeout | undefined
  private heartbeat: NodeJS.Timeout | undefined
  private sentAt = Number.NEGATIVE_INFINITY
  private readonly pages = new Set<OpenPage>()
  private written = 0

  constructor({ catalog, versions, pins, notices, store }: EventParts) {
    catalog.sources.onChange(event => this.gather().addCatalog(event))
    pins.changes.on(({ source }) => this.gather().addCatalog({ what: 'pins', source }))
    versions.onChanged(changed => this.gather().addChanged(changed))
    notices.onNotice(text => this.gather().addNotice(text))
    store.onChange(change => {
      if (change.kind !== 'people') this.gather().store.add(change)
    })
  }

  /** How many pages are open, and how many events they have received. */
  counts(): { readonly pages: number; readonly events: number } {
    return { pages: this.pages.size, events: this.written }
  }

  /** Returns the bytes of a stream of server-sent events. It ends when it is cancelled or `signal` aborts. */
  subscribe({ after, sees, signal }: Subscription = {}): ReadableStream<Uint8Array> {
    let page: OpenPage | undefined
    return new ReadableStream<Uint8Array>(
      {
        start: stream => {
          const onAbort = () => page && this.end(page)
          const release = () => signal?.removeEventListener('abort', onAbort)
          const opened: OpenPage = { sees, stream, number: this.number, release }
          page = opened
          if (signal?.aborted) return stream.close()
          signal?.addEventListener('abort', onAbort, { once: true })
          this.pages.add(opened)
          this.heartbeat ??= setInterval(() => this.writeHeartbeat(), heartbeatMs).unref()
          this.write(
            opened,
            this.toText(this.since(this.parseId(after)), sees) ?? encoder.encode(': open\n\n'),
          )
        },
        // The connection takes bytes again: the page may have missed events.
        pull: () => page && this.catchUp(page),
        cancel: () => page && this.leave(page),
      },
      { highWaterMark: 1 },
    )
  }

  /** Ends every stream. A browser opens it again after `retryMs`, or by its own time. */
  close(retryMs?: number): void {
    for (const page of this.pages) {
      if (retryMs !== undefined) page.stream.enqueue(encoder.encode(`retry: ${retryMs}\n\n`))
      this.end(page)
    }
  }

  private gather(): GatheredChanges {
    const gatherMs = Math.max(minGatherMs, this.pages.size * gatherShareMs)
    this.timer ??= setTimeout(
      () => this.send(),
      Math.max(firstGatherMs, this.sentAt + gatherMs - performance.now()),
    ).unref()
    this.gathered ??= new GatheredChanges()
    return this.gathered
  }

  /** Writes the gathered changes to every page that is not busy with the event before. */
  private send(): void {
    const changes = this.gathered
    this.gathered = undefined
    this.timer = undefined
    this.sentAt = performance.now()
    if (changes === undefined) return
    this.number += 1
    this.sent.push({ number: this.number, changes })
    if (this.sent.length > maxSent) this.sent.shift()
    const texts = new Map<Sees | undefined, Uint8Array | undefined>()
    for (const page of this.pages) {
      if ((page.stream.desiredSize ?? 0) <= 0) continue
      // A page that has missed an event is about to catch up.
      if (page.number < this.number - 1) continue
      if (!texts.has(page.sees)) texts.set(page.sees, this.toText(changes, page.sees))
      this.write(page, texts.get(page.sees))
    }
  }

  private catchUp(page: OpenPage): void {
    if (page.number < this.number) this.write(page, this.toText(this.since(page.number), page.sees))
  }

  /** Returns all changes after an event; everything if they are not known. */
  private since(number: number | undefined): GatheredChanges {
    const all = new GatheredChanges()
    const missed = number === undefined ? Number.POSITIVE_INFINITY : this.number - number
    if (missed > this.sent.length) all.addMissed()
    else for (const { changes } of this.sent.slice(this.sent.length - missed)) all.addAll(changes)
    return all
  }

  private write(page: OpenPage, text: Uint8Array | undefined): void {
    page.number = this.number
    if (text === undefined) return
    this.written += 1
    page.stream.enqueue(text)
  }

  private toText(changes: GatheredChanges, sees: Sees | undefined): Uint8Array | undefined {
    const found = changes.toChanges(sees)
    if (found === undefined) return undefined
    const readWithinMs = Math.min(maxReadMs, this.pages.size * readShareMs)
    const data: LiveChanges = { ...found, readWithinMs }
    return encoder.encode(`id: ${this.run}.${this.number}\nevent: changes\ndata: ${JSON.stringify(data)}\n\n`)
  }

  /** Returns the number of an event of this process; undefined for any other id. */
  private parseId(id: string | undefined): number | undefined {
    const [run, number] = id?.split('.') ?? []
    return run === this.run && /^\d{1,15}$/.test(number ?? '') && Number(number) <= this.number
      ? Number(number)
      : undefined
  }

  private writeHeartbeat(): void {
    for (const { stream } of this.pages)
      if ((stream.desiredSize ?? 0) > 0) stream.enqueue(encoder.encode(': still here\n\n'))
  }

  private end(page: OpenPage): void {
    if (!this.pages.has(page)) return
    this.leave(page)
    page.stream.close()
  }

  private leave(page: OpenPage): void {
    page.release()
    this.pages.delete(page)
    if (this.pages.size > 0) return
    clearInterval(this.heartbeat)
    this.heartbeat = undefined
  }
}
