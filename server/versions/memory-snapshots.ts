/** Snapshots in the store, and in memory (the newest of each source, until the program ends) while it does not work. */
import { AppError } from '../../core/errors.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import type { HashedManifest, SnapshotStore, ToolTouch } from '../store/snapshot-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { delegateSnapshots } from './lazy-snapshots.ts'

/** Snapshots of one source. Equal tools share their text. */
const maxSnapshots = 20

interface MemorySnapshot {
  snapshot: Snapshot
  readonly manifest: HashedManifest
}

interface MemorySnapshots extends SnapshotStore {
  /** Adds a snapshot of the store under its own number; later numbers follow it. */
  addStored(snapshot: Snapshot, manifest: HashedManifest): void
}

export function memorySnapshots(): MemorySnapshots {
  const bySource = new Map<string, MemorySnapshot[]>()
  const of = (source: string) => bySource.get(source) ?? []
  const find = (source: string, number: number): MemorySnapshot => {
    const entry = of(source).find(each => each.snapshot.number === number)
    if (entry === undefined) throw new AppError('snapshot-not-found', `${source}@${number}`)
    return entry
  }
  const removeLabel = (source: string, label: string): boolean => {
    const entry = of(source).find(each => each.snapshot.labels.includes(label))
    if (entry === undefined) return false
    entry.snapshot = { ...entry.snapshot, labels: entry.snapshot.labels.filter(each => each !== label) }
    return true
  }
  const insert = (snapshot: Snapshot, manifest: HashedManifest) => {
    const versions = of(snapshot.source)
    const entry = { snapshot, manifest: shareTools(manifest, versions[0]?.manifest) }
    bySource.set(snapshot.source, [entry, ...versions].slice(0, maxSnapshots))
  }
  return {
    durable: false,
    addStored(snapshot, manifest) {
      if (of(snapshot.source)[0]?.snapshot.number !== snapshot.number) insert(snapshot, manifest)
    },
    async add({ source, manifest, time, cause, version, by, git: askGit }) {
      const git = await askGit?.()
      const versions = of(source)
      const [newest] = versions
      if (newest?.snapshot.hash === manifest.hash) return { snapshot: newest.snapshot, added: false }
      const snapshot: Snapshot = {
        source,
        number: (newest?.snapshot.number ?? 0) + 1,
        time,
        hash: manifest.hash,
        toolCount: manifest.tools.length,
        cause,
        ...(version === undefined ? {} : { version }),
        ...(git === undefined ? {} : { git }),
        ...(by === undefined ? {} : { by }),
        labels: [],
      }
      insert(snapshot, manifest)
      return { snapshot, added: true }
    },
    list: async source => of(source).map(each => each.snapshot),
    sources: async () => [...bySource.keys()].sort(),
    manifestOf: async ({ source, number }) => find(source, number).manifest.manifest,
    differing: async (source, before, after) => [
      find(source, before).manifest.manifest,
      find(source, after).manifest.manifest,
    ],
    async touches(source, tool) {
      const touches: ToolTouch[] = []
      for (const { snapshot, manifest } of of(source).toReversed()) {
        const hash = manifest.tools.find(each => each.name === tool)?.hash
        if (hash === touches.at(-1)?.hash) continue
        touches.push({ number: snapshot.number, ...(hash === undefined ? {} : { hash }) })
      }
      return touches
    },
    async prune(source, { maxCount }) {
      const versions = of(source)
      const remaining = versions.filter(
        ({ snapshot }, at) => at < Math.max(1, maxCount) || snapshot.labels.length > 0,
      )
      bySource.set(source, remaining)
      return versions.length - remaining.length
    },
    async setLabel(source, number, label) {
      const entry = find(source, number)
      removeLabel(source, label)
      entry.snapshot = { ...entry.snapshot, labels: [...entry.snapshot.labels, label] }
    },
    removeLabel: async (source, label) => removeLabel(source, label),
    async renameSource(name, next) {
      if (of(next).length > 0) return false
      const moved = of(name).map(entry => ({ ...entry, snapshot: { ...entry.snapshot, source: next } }))
      bySource.delete(name)
      if (moved.length > 0) bySource.set(next, moved)
      return true
    },
  }
}

/** Returns the same manifest with the equal tool objects of the previous one, so that memory holds them once. */
function shareTools(manifest: HashedManifest, before: HashedManifest | undefined): HashedManifest {
  const known = new Map(before?.tools.map((tool, at) => [tool.hash, at] as const))
  const at = manifest.tools.map(tool => known.get(tool.hash))
  const tools = manifest.tools.map((tool, index) => before?.tools[at[index] ?? -1] ?? tool)
  const plain = manifest.manifest.tools.map((tool, index) => before?.manifest.tools[at[index] ?? -1] ?? tool)
  return { ...manifest, tools, manifest: { ...manifest.manifest, tools: plain } }
}

/** The store itself reports its failures. Numbers in memory continue those of the store. */
export function fallbackSnapshots(store: Store): SnapshotStore {
  const stored = storedSnapshots(store)
  const memory = memorySnapshots()
  async function attempt<T>(work: (snapshots: SnapshotStore) => Promise<T>): Promise<T> {
    if (store.status().state !== 'ready') return work(memory)
    try {
      return await work(stored)
    } catch (thrown) {
      if (thrown instanceof AppError && thrown.code.startsWith('store-')) return work(memory)
      throw thrown
    }
  }
  return {
    ...delegateSnapshots(attempt),
    get durable() {
      return store.status().state === 'ready'
    },
    async add(snapshot) {
      const answer = await attempt(snapshots => snapshots.add(snapshot))
      memory.addStored(answer.snapshot, snapshot.manifest)
      return answer
    },
    async renameSource(name, next) {
      const isDone = await attempt(snapshots => snapshots.renameSource(name, next))
      if (isDone) await memory.renameSource(name, next)
      return isDone
    },
  }
}
