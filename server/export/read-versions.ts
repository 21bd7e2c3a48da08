/** Reads the versions of the open sources in full, for an export. */
import type { ExportedVersions } from '../../core/api/site-changelogs.ts'
import type { ReadVersion } from '../../core/api/site-versions.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { SnapshotRecorder } from '../versions/snapshot-recorder.ts'
import { gitVersions, readStoredVersions, sourceTimeline } from '../versions/source-timeline.ts'

/**
 * Returns the versions newest first, at most `limit` of each kind. A version that cannot be read as a manifest is left
 * out.
 */
export async function readVersions(
  catalog: Catalog,
  versions: SnapshotRecorder | undefined,
  limit: number,
): Promise<readonly ExportedVersions[]> {
  if (versions === undefined) return []
  const read: ExportedVersions[] = []
  for (const { name } of catalog.sources.list()) {
    const from = versions.sourcesOf(name)
    const [list, stored, committed] = await Promise.all([
      sourceTimeline(name, limit, from),
      readStoredVersions(name, from),
      gitVersions(limit + 1, from),
    ])
    const known = new Map([...stored, ...committed].map(each => [each.version.reference, each] as const))
    const found: ReadVersion[] = []
    for (const version of list.versions) {
      const manifest = await known
        .get(version.reference)
        ?.manifest()
        .catch(() => null)
      if (manifest) found.push({ version, manifest })
    }
    const hasOlder = new Set([
      ...(stored.length > limit ? (['snapshot'] as const) : []),
      ...(committed.length > limit ? (['git'] as const) : []),
    ])
    read.push({ source: name, versions: found, hasOlder })
  }
  return read
}
