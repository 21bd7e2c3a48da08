import { Link } from '@tanstack/react-router'
import { Check } from 'lucide-react'
import type { RecentChange } from '../../../core/api/versions.ts'
import { isObject, parseJson } from '../../../core/json/json.ts'
import { parseSnapshotReference } from '../../../core/manifest/reference.ts'
import buttonStyles from '../../ui/button.module.css'
import { IconButton } from '../../ui/button.tsx'
import { formatAge } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import overview from '../../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../../ui/overview.tsx'
import { CountsBadges } from '../../ui/severity-badges.tsx'
import { storage } from '../../ui/storage.ts'
import { useNow } from '../../ui/use-now.ts'
import { createStore, useStore } from '../../ui/value-store.ts'

/** Sources that changed since the user saw them last, each with a link to the diff. */
export function ChangedSources({ changes }: { readonly changes: readonly RecentChange[] }) {
  const now = new Date(useNow())
  return (
    <OverviewList title="Changed since you last looked">
      {changes.map(({ source, from, to, time, counts }) => (
        <OverviewRow key={source}>
          <CountsBadges counts={counts} />
          <span className={overview.name}>{source}</span>
          <span className="truncate muted grow">{`@${readVersionNumber(from)} → @${readVersionNumber(to)} · ${formatAge(time, now)}`}</span>
          <Link
            to="/diff"
            search={{ a: from, b: to }}
            className={join(buttonStyles.button, buttonStyles.quiet)}
            aria-label={`Diff of ${source}`}
          >
            Diff
          </Link>
          <IconButton icon={Check} label={`Mark ${to} as seen`} onClick={() => markLooked(to)} />
        </OverviewRow>
      ))}
    </OverviewList>
  )
}

const readVersionNumber = (reference: string) => reference.slice(reference.lastIndexOf('@') + 1)

/** The version of each source that the user of this browser saw last. */
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
