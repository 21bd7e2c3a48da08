/** Stores every manifest that differs from the previous one, compares the two and emits the change. */
import type { SourceChanged } from '../../core/api/events.ts'
import type { SeverityCounts } from '../../core/api/versions.ts'
import type { TeamRules } from '../../core/diff/team-rules.ts'
import { toErrorMessage } from '../../core/errors.ts'
import { formatReference, type SnapshotReference } from '../../core/manifest/reference.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import type { ManifestRead, SourceRegistry } from '../catalog/source-registry.ts'
import { Emitter } from '../process/events.ts'
import { type Retention, snapshotRetention } from '../store/retention.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { type CountChanges, type CountsCache, countsCache } from './counts-cache.ts'
import { describeSnapshot } from './describe-snapshot.ts'
import { findSnapshot } from './lazy-snapshots.ts'
import type { TimelineSources } from './source-timeline.ts'

/** How many snapshots of a source are added between two prunings. */
const pruneInterval = 50

export interface SnapshotRecorderOptions {
  readonly sources: SourceRegistry
  readonly store: SnapshotStore
  readonly environment: NodeJS.ProcessEnv
  readonly retention?: Retention
  /** Counts in this thread by default. */
  readonly countChanges?: CountChanges | undefined
  /** Reads the current rules for counting changes; none by default. */
  readonly readRules?: (() => Promise<TeamRules>) | undefined
  /** Prints a line for the user: what could not be stored, and why. */
  readonly say: (line: string) => void
}

export class SnapshotRecorder {
  readonly store: SnapshotStore
  private readonly parts: SnapshotRecorderOptions
  private readonly changes = new Emitter<SourceChanged>()
  private readonly current = new Map<string, Snapshot>()
  /** Manifests of one source are stored one after the other. */
  private readonly queues = new Map<string, Promise<void>>()
  /** The person who reads the list of a source again at this moment. */
  private readonly readers = new Map<string, string>()
  private readonly counts: CountsCache
  private readonly closing = new AbortController()
  private readonly stop: () => void

  constructor(parts: SnapshotRecorderOptions) {
    this.parts = parts
    this.store = parts.store
    this.counts = countsCache(parts.countChanges, parts.readRules)
    const stops = [
      parts.sources.onManifest(news => {
        const by = news.cause === 'refreshed' ? this.readers.get(news.source) : undefined
        this.enqueue([news.source], () => this.record(news, by))
      }),
      parts.sources.onRenamed(({ name, next }) => this.enqueue([name, next], () => this.rename(name, next))),
    ]
    this.stop = () => {
      for (const stop of stops) stop()
    }
  }

  /** Runs `refresh`; a version that it finds says that this person read the list. */
  async readBy<Result>(
    person: string | undefined,
    source: string,
    refresh: () => Promise<Result>,
  ): Promise<Result> {
    if (person === undefined || this.readers.has(source)) return refresh()
    this.readers.set(source, person)
    return refresh().finally(() => this.readers.delete(source))
  }

  /** Calls `listener` after every change of a manifest while it was open, until the returned function is called. */
  onChanged(listener: (changed: SourceChanged) => void): () => void {
    return this.changes.on(listener)
  }

  /**
   * Returns the snapshot of a source's current list; undefined while it is being made, and if the source has no list
   * now.
   */
  currentOf(source: string): Snapshot | undefined {
    const hasList = this.parts.sources.find(source)?.manifest !== undefined
    return hasList ? this.current.get(source) : undefined
  }

  /** Returns the reference of the source's last snapshot, like `acme@3`, once it has been made. */
  async referenceOf(source: string): Promise<string | undefined> {
    await this.queues.get(source)
    const snapshot = this.current.get(source)
    return snapshot && formatReference(snapshot)
  }

  /** Resolves when everything that was read so far is stored. */
  async idle(): Promise<void> {
    await Promise.all(this.queues.values())
  }

  /** Throws AppError `snapshot-not-found`, which lists the existing versions. */
  async find(reference: SnapshotReference): Promise<Snapshot> {
    await this.queues.get(reference.source)
    return findSnapshot(this.store, reference)
  }

  /** Returns the parts from which the list of a source's versions is made. */
  sourcesOf(source: string): TimelineSources {
    const { sources, environment } = this.parts
    return {
      store: this.store,
      counts: this.counts,
      manifestPath: sources.find(source)?.session?.manifestPath,
      current: this.currentOf(source),
      asker: { environment, signal: this.closing.signal },
    }
  }

  /** Counts the differences of two versions; cached by their hashes. */
  compare(a: Snapshot, b: Snapshot): Promise<SeverityCounts> {
    const side = (snapshot: Snapshot) => ({
      hash: snapshot.hash,
      manifest: () => this.store.manifestOf(snapshot),
    })
    const isOneSource = a.source === b.source
    return this.counts.between(
      side(a),
      side(b),
      isOneSource ? () => this.store.differing(a.source, a.number, b.number) : undefined,
    )
  }

  async close(): Promise<void> {
    this.stop()
    this.changes.clear()
    this.closing.abort()
    await this.idle()
  }

  private enqueue(sources: readonly string[], work: () => Promise<void>): void {
    const done = Promise.all(sources.map(source => this.queues.get(source)))
      .then(work)
      .catch((thrown: unknown) =>
        this.parts.say(`${sources.at(-1)}: this version is not kept (${toErrorMessage(thrown)})`),
      )
    for (const source of sources) this.queues.set(source, done)
  }

  /** The versions stay with the source, unless the new name already has versions. */
  private async rename(name: string, next: string): Promise<void> {
    const current = this.current.get(name)
    if (!(await this.store.renameSource(name, next)) || current === undefined) return
    this.current.delete(name)
    this.current.set(next, { ...current, source: next })
  }

  private async record({ source, manifest, cause }: ManifestRead, by: string | undefined): Promise<void> {
    const { sources, store, environment } = this.parts
    const before = this.current.get(source)
    const asker = { environment, signal: this.closing.signal }
    const described = await describeSnapshot(sources, source, manifest, cause, asker)
    const { snapshot } = await store.add({ ...described, by })
    if (before?.hash === snapshot.hash) return
    this.current.set(source, snapshot)
    if (snapshot.number % pruneInterval === 0)
      await store.prune(source, this.parts.retention ?? snapshotRetention)
    if (before === undefined || !this.changes.hasListeners) return
    // Its number has changed if the store started or stopped working in the meantime.
    const from = (await store.list(source)).find(each => each.hash === before.hash)
    if (from === undefined) return
    const counts = await this.compare(from, snapshot).catch((thrown: unknown) => {
      this.parts.say(`${source}: what changed could not be counted (${toErrorMessage(thrown)})`)
    })
    if (counts === undefined) return
    const { toolCount } = snapshot
    this.changes.emit({
      source,
      cause,
      from: formatReference(from),
      to: formatReference(snapshot),
      counts,
      toolCount,
    })
  }
}
