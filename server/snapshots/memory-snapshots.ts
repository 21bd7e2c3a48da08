/** The versions of this run, for a program without a store: the newest few of each source, gone with it. */
import { AppError } from '../../core/errors.ts'
import type { Snapshot } from '../../core/snapshot/snapshot.ts'
import type { HashedManifest, SnapshotStore, ToolTouch } from '../store/snapshot-store.ts'

/** Versions of one source. Tools that stayed as they were share their text. */
const MAX_VERSIONS = 20

interface Kept {
  snapshot: Snapshot
  readonly manifest: HashedManifest
}

export interface MemorySnapshots extends SnapshotStore {
  /** Takes over a version that was kept elsewhere: numbers go on from there. */
  remember(snapshot: Snapshot, manifest: HashedManifest): void
}

export function memorySnapshots(): MemorySnapshots {
  const bySource = new Map<string, Kept[]>()
  const of = (source: string) => bySource.get(source) ?? []
  const find = (source: string, number: number): Kept => {
    const kept = of(source).find(each => each.snapshot.number === number)
    if (kept === undefined) throw new AppError('snapshot-not-found', `${source}@${number}`)
    return kept
  }
  const unlabel = (source: string, label: string): boolean => {
    const kept = of(source).find(each => each.snapshot.labels.includes(label))
    if (kept === undefined) return false
    kept.snapshot = { ...kept.snapshot, labels: kept.snapshot.labels.filter(each => each !== label) }
    return true
  }
  const put = (snapshot: Snapshot, manifest: HashedManifest) => {
    const versions = of(snapshot.source)
    const kept = { snapshot, manifest: sharing(manifest, versions[0]?.manifest) }
    bySource.set(snapshot.source, [kept, ...versions].slice(0, MAX_VERSIONS))
  }
  return {
    durable: false,
    remember(snapshot, manifest) {
      if (of(snapshot.source)[0]?.snapshot.number !== snapshot.number) put(snapshot, manifest)
    },
    async add({ source, manifest, time, cause, version, git }) {
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
        labels: [],
      }
      put(snapshot, manifest)
      return { snapshot, added: true }
    },
    list: async source => of(source).map(each => each.snapshot),
    sources: async () => [...bySource.keys()].sort(),
    manifestOf: async ({ source, number }) => find(source, number).manifest.manifest,
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
      const kept = versions.filter(
        ({ snapshot }, at) => at < Math.max(1, maxCount) || snapshot.labels.length > 0,
      )
      bySource.set(source, kept)
      return versions.length - kept.length
    },
    async setLabel(source, number, label) {
      const kept = find(source, number)
      unlabel(source, label)
      kept.snapshot = { ...kept.snapshot, labels: [...kept.snapshot.labels, label] }
    },
    removeLabel: async (source, label) => unlabel(source, label),
  }
}

/** The same manifest, with the very tools of the one before where they are equal: what stayed is held once. */
function sharing(manifest: HashedManifest, before: HashedManifest | undefined): HashedManifest {
  const known = new Map(before?.tools.map((tool, at) => [tool.hash, at] as const))
  const at = manifest.tools.map(tool => known.get(tool.hash))
  const tools = manifest.tools.map((tool, index) => before?.tools[at[index] ?? -1] ?? tool)
  const plain = manifest.manifest.tools.map((tool, index) => before?.manifest.tools[at[index] ?? -1] ?? tool)
  return { ...manifest, tools, manifest: { ...manifest.manifest, tools: plain } }
}
