import { useQuery } from '@tanstack/react-query'
import { useBackend } from '../api/backend.ts'
import { recentCallsQuery } from '../api/history.ts'
import { changesQuery, sourcesQuery } from '../api/queries.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { RecentCalls } from '../features/history/recent-calls.tsx'
import { Attention } from '../features/sources/attention.tsx'
import { Examples, offeredExamples } from '../features/sources/examples.tsx'
import { needsAttention } from '../features/sources/source-status.ts'
import { ChangedSources } from '../features/versions/changed-sources.tsx'
import { useLookedVersions } from '../features/versions/looked-versions.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { join } from '../ui/join.ts'
import { ShortcutKeys } from '../ui/kbd.tsx'
import styles from './home.module.css'
import { useOpenCall } from './open-call.ts'

/** The page next to the catalog while no tool is open: recent calls, changes, and sources that need the user. */
export function Home() {
  const backend = useBackend()
  const openCall = useOpenCall()
  const sources = useQuery(sourcesQuery(backend))
  const recent = useQuery(recentCallsQuery(backend))
  const changed = useQuery(changesQuery(backend, useLookedVersions()))
  const refusedAdd = useRefusal('POST /api/sources')
  // The parts are shown together, because a later one would move the others.
  if ([sources, recent, changed].some(query => query.isLoading)) return <div className={styles.home} />
  const calls = recent.data?.invocations ?? []
  const changes = changed.data?.changes ?? []
  const canAdd = backend.has('POST /api/sources') && refusedAdd === undefined
  const examples = canAdd && sources.data ? offeredExamples(sources.data) : []
  const waiting = sources.data?.sources.some(needsAttention)
  const hint = (
    <>
      Pick a tool from the list, search with <ShortcutKeys id="search" />, or jump with{' '}
      <ShortcutKeys id="palette" />.
    </>
  )
  if (calls.length + changes.length + examples.length === 0 && !waiting && !changed.error)
    return (
      <div className={join('column', styles.home)}>
        <EmptyState title="Choose a tool">
          <p>{hint}</p>
        </EmptyState>
      </div>
    )
  return (
    <div className={styles.home}>
      <div className={styles.columns}>
        {/* A card that appears while the page is shown is the last in its column. */}
        <div className={styles.column}>
          {calls.length > 0 && <RecentCalls calls={calls} onOpen={openCall} />}
          <Attention />
        </div>
        <div className={styles.column}>
          <ErrorNote error={changed.error} />
          {changes.length > 0 && <ChangedSources changes={changes} />}
          {examples.length > 0 && <Examples examples={examples} />}
        </div>
      </div>
      <p className={join('muted', styles.hint)}>
        {hint}
        {canAdd && ' Drop a manifest or an mcp.json anywhere on this page to add it.'}
      </p>
    </div>
  )
}
