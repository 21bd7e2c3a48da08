/** The kept versions for a command that may not need them: the store is opened with the first question. */
import type { SnapshotReference } from '../../core/snapshot/reference.ts'
import { openStore } from '../store/open-store.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import type { Store } from '../store/store.ts'
import { findSnapshot, type KnownVersions } from './find-snapshot.ts'

/** Questions reject with the store's AppError where there is no store. */
export function lazyVersions(
  databaseUrl: string | undefined,
  context: { readonly environment: NodeJS.ProcessEnv; readonly say: (line: string) => void },
): { readonly known: KnownVersions; readonly close: () => Promise<void> } {
  let opening: Promise<Store> | undefined
  const snapshots = async () => {
    opening ??= openStore({ environment: context.environment, databaseUrl, say: line => context.say(line) })
    return storedSnapshots(await opening)
  }
  const store: SnapshotStore = {
    durable: true,
    add: async snapshot => (await snapshots()).add(snapshot),
    list: async source => (await snapshots()).list(source),
    sources: async () => (await snapshots()).sources(),
    manifestOf: async snapshot => (await snapshots()).manifestOf(snapshot),
    touches: async (source, tool) => (await snapshots()).touches(source, tool),
    prune: async (source, retention) => (await snapshots()).prune(source, retention),
    setLabel: async (source, number, label) => (await snapshots()).setLabel(source, number, label),
    removeLabel: async (source, label) => (await snapshots()).removeLabel(source, label),
  }
  return {
    known: { store, find: (reference: SnapshotReference) => findSnapshot(store, reference) },
    close: async () => (await opening)?.close(),
  }
}
