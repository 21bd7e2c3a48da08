/** Compares the current lists of the open sources with those that the user saw last. */
import type { RecentChange, SeverityCounts } from '../../core/api/versions.ts'
import { formatReference, parseSnapshotReference } from '../../core/manifest/reference.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import type { SnapshotRecorder } from './snapshot-recorder.ts'

/** How long a version counts as recent if the user saw none before it. */
const newsMs = 7 * 24 * 3_600_000
/** At most this many changes are compared, the newest ones. */
const maxChanges = 6

/**
 * @param names of the open sources
 * @param looked the version of each source that the user saw last, like `acme@3`. A source that is missing here is
 * compared with its previous version, if the newest one is at most a week old.
 * @param now milliseconds since 1970
 * @returns newest first; sources with an unchanged list are left out
 */
export async function recentChanges(
  versions: SnapshotRecorder,
  names: readonly string[],
  looked: readonly string[],
  now: number,
): Promise<RecentChange[]> {
  await versions.idle()
  const seen = new Map<string, number>()
  for (const text of looked) {
    const reference = parseSnapshotReference(text)
    if (reference?.selector.kind === 'number') seen.set(reference.source, reference.selector.number)
  }
  const changed = names
    .flatMap(name => {
      const current = versions.currentOf(name)
      return current !== undefined && mayBeNews(current, seen.get(name), now) ? [current] : []
    })
    .sort((a, b) => Date.parse(b.time) - Date.parse(a.time))
  const newest: { readonly before: Snapshot; readonly current: Snapshot }[] = []
  // One after the other: of thousands of sources, only the newest are read from the store.
  for (const current of changed) {
    if (newest.length === maxChanges) break
    const list = await versions.store.list(current.source)
    const number = seen.get(current.source)
    const before =
      list.find(each => each.number === number) ??
      (isOld(current, now) ? undefined : list[list.findIndex(each => each.hash === current.hash) + 1])
    if (before !== undefined && before.hash !== current.hash) newest.push({ before, current })
  }
  const changes = await Promise.all(
    newest.map(async ({ before, current }) => ({
      source: current.source,
      from: formatReference(before),
      to: formatReference(current),
      time: current.time,
      counts: await versions.compare(before, current),
    })),
  )
  return changes.filter(({ counts }) => isChange(counts))
}

/** @param seen the number of the version that the user saw last */
function mayBeNews(current: Snapshot, seen: number | undefined, now: number): boolean {
  if (seen === undefined) return current.number > 1 && !isOld(current, now)
  return seen !== current.number
}

const isOld = ({ time }: Snapshot, now: number) => now - Date.parse(time) > newsMs

const isChange = (counts: SeverityCounts) => Object.values(counts).some(count => count > 0)
