/** The version of the manifest that a call from the command line was made with: kept beside the call, not before it. */
import type { CallEvent } from '../../core/call/invocation.ts'
import { referenceOf } from '../../core/snapshot/reference.ts'
import type { SourceRegistry } from '../catalog/source-registry.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { describeSnapshot } from './describe-snapshot.ts'
import type { GitAsker } from './git-repository.ts'

/** How long a call that has ended may wait for its version to be known. */
const WAIT_MS = 1_000

export interface VersionOfCall {
  /** `acme@3`; undefined while it is not known, and where there is no memory. */
  readonly id: () => string | undefined
  /** The same events; ends when the version is known, or after a second. */
  readonly follow: (events: AsyncIterable<CallEvent>) => AsyncGenerator<CallEvent>
}

export function versionOfCall(
  sources: SourceRegistry,
  source: string,
  store: Store,
  asker: GitAsker,
): VersionOfCall {
  let id: string | undefined
  const keep = async () => {
    const manifest = sources.find(source)?.manifest
    if (manifest === undefined || store.status().state !== 'ready') return
    const { snapshot } = await storedSnapshots(store).add(
      await describeSnapshot(sources, source, manifest, 'opened', asker),
    )
    id = referenceOf(snapshot)
  }
  // The store itself says what is wrong with it; the call goes on.
  const known = keep().catch(() => undefined)
  return {
    id: () => id,
    async *follow(events) {
      yield* events
      await Promise.race([known, new Promise(resolve => setTimeout(resolve, WAIT_MS).unref())])
    },
  }
}
