/** Adds the origin to a manifest before it is stored. */

import type { SnapshotCause } from '../../core/manifest/snapshot.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { SourceRegistry } from '../catalog/source-registry.ts'
import type { NewSnapshot } from '../store/snapshot-store.ts'
import { type GitAsker, gitRevision } from './git-repository.ts'
import { hashManifest } from './hash-manifest.ts'

/** Throws AppError `manifest-unrecognised` if the manifest cannot be stored. */
export async function describeSnapshot(
  sources: SourceRegistry,
  source: string,
  manifest: Manifest,
  cause: SnapshotCause,
  asker: GitAsker,
): Promise<NewSnapshot> {
  const hashed = await hashManifest(manifest)
  const time = new Date().toISOString()
  const version = plainText(sources.find(source)?.session?.about?.().serverInfo?.version)
  return {
    source,
    manifest: hashed,
    time,
    cause,
    ...(version === undefined ? {} : { version }),
    git: () => gitRevision(sources.find(source)?.session?.watch ?? [], asker),
  }
}

/** Returns untrusted text as one short line. */
function plainText(text: string | undefined): string | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
  return text?.replace(/[\u0000-\u001f]+/g, ' ').slice(0, 200)
}
