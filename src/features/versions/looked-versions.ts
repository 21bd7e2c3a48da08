/** The version of each source that the user of this browser saw last. */
import { isObject, parseJson } from '../../../core/json/json.ts'
import { parseSnapshotReference } from '../../../core/manifest/reference.ts'
import { storage } from '../../ui/storage.ts'
import { createStore, useStore } from '../../ui/value-store.ts'

const storageKey = 'toolscope:looked-versions'
/** The number of stored sources; the oldest one is removed first. */
const maxSources = 200

/** Numbers of versions by source, the newest last. */
const looked = createStore<ReadonlyMap<string, number>>(readLooked())

function readLooked(): ReadonlyMap<string, number> {
  const stored = parseJson(storage.get(storageKey) ?? '')
  const entries = isObject(stored) ? Object.entries(stored) : []
  return new Map(
    entries.flatMap(([source, number]) => (typeof number === 'number' ? [[source, number]] : [])),
  )
}

/** Returns the versions seen last in the format of the server: `acme@3,files@2`. */
export const useLookedVersions = () =>
  [...useStore(looked)].map(([source, number]) => `${source}@${number}`).join(',')

/** Stores that the user saw a version, by its reference. Ignores other references, and older versions. */
export function markLooked(reference: string | undefined): void {
  const parsed = parseSnapshotReference(reference ?? '')
  if (parsed?.selector.kind !== 'number') return
  const { source, selector } = parsed
  const versions = new Map(looked.get())
  if ((versions.get(source) ?? 0) >= selector.number) return
  versions.delete(source)
  versions.set(source, selector.number)
  const newest = [...versions].slice(-maxSources)
  looked.set(new Map(newest))
  storage.set(storageKey, JSON.stringify(Object.fromEntries(newest)))
}
