/** Exports kept versions from the store to one file, and imports them. */
import { AppError } from '../../core/errors.ts'
import { isLabel } from '../../core/manifest/reference.ts'
import type { Snapshot } from '../../core/manifest/snapshot.ts'
import {
  parseSnapshotFile,
  type SnapshotInFile,
  snapshotFileText,
} from '../../core/manifest/version-files.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { hashManifest } from './describe-snapshot.ts'

/**
 * Returns all versions of the named sources, oldest first; of all sources if no name is given. Throws
 * `snapshot-not-found`.
 */
export async function exportSnapshots(
  store: SnapshotStore,
  names: readonly string[],
): Promise<{ readonly text: string; readonly count: number }> {
  const known = await store.sources()
  const unknown = names.filter(name => !known.includes(name))
  if (unknown.length > 0)
    throw new AppError(
      'snapshot-not-found',
      `there are no versions of ${unknown.join(', ')}; there are some of ${known.join(', ') || 'nothing'}`,
    )
  const rows: SnapshotInFile[] = []
  for (const source of names.length > 0 ? names : known)
    for (const snapshot of (await store.list(source)).toReversed()) {
      const { manifest, tools } = await hashManifest({ ...(await store.manifestOf(snapshot)), problems: [] })
      rows.push({ ...snapshot, manifest, toolHashes: tools.map(tool => tool.hash) })
    }
  return { text: snapshotFileText(rows), count: rows.length }
}

/**
 * Adds the versions that are not stored yet, with their labels, under new numbers. @param label the name of the file
 */
export async function importSnapshots(
  store: SnapshotStore,
  text: string,
  label: string,
): Promise<readonly { readonly snapshot: Snapshot; readonly added: boolean }[]> {
  const taken = []
  for (const row of parseSnapshotFile(text, label)) {
    const manifest = await hashManifest({ ...row.manifest, problems: [] })
    // The same version was imported before, or is already kept.
    const same = (await store.list(row.source)).find(
      each => each.hash === manifest.hash && each.time === row.time,
    )
    const { source, time, version, git } = row
    const answer =
      same === undefined
        ? await store.add({
            source,
            time,
            manifest,
            cause: 'imported',
            ...(version === undefined ? {} : { version: version.slice(0, 200) }),
            ...(git === undefined ? {} : { git: async () => git.slice(0, 80) }),
          })
        : { snapshot: same, added: false }
    for (const name of row.labels.filter(isLabel)) await store.setLabel(source, answer.snapshot.number, name)
    taken.push(answer)
  }
  return taken
}
