/** Finds the version of a source's manifest that a call was made with. */

import { formatReference } from '../../core/manifest/reference.ts'
import type { Manifest } from '../../core/tool/tool.ts'
import type { SourceRegistry } from '../catalog/source-registry.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { describeSnapshot } from './describe-snapshot.ts'
import type { GitAsker } from './git-repository.ts'

export interface SourceSnapshots {
  /**
   * Returns the reference of the current version, like `acme@3`; undefined if no version can be kept. Never rejects.
   */
  referenceOf(source: string): Promise<string | undefined>
}

/** For a command: keeps the manifest of a source in the store when one of its tools is called for the first time. */
export function snapshotsOfCalls(sources: SourceRegistry, store: Store, asker: GitAsker): SourceSnapshots {
  const referenceByManifest = new Map<Manifest, Promise<string | undefined>>()
  const keep = async (source: string, manifest: Manifest) => {
    const described = await describeSnapshot(sources, source, manifest, 'opened', asker)
    const { snapshot } = await storedSnapshots(store).add(described)
    return formatReference(snapshot)
  }
  return {
    referenceOf(source) {
      const manifest = sources.find(source)?.manifest
      if (manifest === undefined || manifest.incomplete !== undefined || store.status().state !== 'ready')
        return Promise.resolve(undefined)
      // The store reports its own errors; the call goes on.
      const reference = referenceByManifest.get(manifest) ?? keep(source, manifest).catch(() => undefined)
      referenceByManifest.set(manifest, reference)
      return reference
    },
  }
}
