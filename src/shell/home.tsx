import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { visibleName } from '../../core/text/plain-text.ts'
import { useBackend } from '../api/backend.ts'
import { recentCallsQuery } from '../api/history.ts'
import { changesQuery, sourcesQuery } from '../api/queries.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { RecentCalls } from '../features/history/recent-calls.tsx'
import { AddForm } from '../features/sources/add-form.tsx'
import { Attention, ClosedSources } from '../features/sources/attention.tsx'
import { Examples, offeredExamples } from '../features/sources/examples.tsx'
import { needsAttention } from '../features/sources/source-status.ts'
import { ChangedSources } from '../features/versions/changed-sources.tsx'
import { useLookedVersions } from '../features/versions/looked-versions.ts'
import { useWorkbenchNavigate } from '../navigation.ts'
import { join } from '../ui/join.ts'
import { ShortcutKeys } from '../ui/kbd.tsx'
import { recentTools, type StoredTool } from '../ui/kept-tools.ts'
import { EmptyState, ErrorNote } from '../ui/notes.tsx'
import overview from '../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../ui/overview.tsx'
import styles from './home.module.css'
import { Jobs, useJobs } from './jobs.tsx'
import { useOpenCall } from './open-call.ts'
import { useOpenSource } from './open-source.ts'

const maxTools = 5

/** The page next to the catalog while no tool is open: recent calls and tools, changes, jobs, and sources that need the user. */
export function Home() {
  const backend = useBackend()
  const openCall = useOpenCall()
  const openSource = useOpenSource()
  const sources = useQuery(sourcesQuery(backend))
  const recent = useQuery(recentCallsQuery(backend))
  const changed = useQuery(changesQuery(backend, useLookedVersions()))
  const jobs = useJobs()
  const [opened] = useState(recentTools)
  const refusedAdd = useRefusal('POST /api/sources')
  // The parts are shown together, because a later one would move the others.
  if (jobs === undefined || [sources, recent, changed].some(query => query.isLoading))
    return <div className={styles.home} />
  const calls = recent.data?.invocations ?? []
  const changes = changed.data?.changes ?? []
  const canAdd = backend.has('POST /api/sources') && refusedAdd === undefined
  const examples = canAdd && sources.data ? offeredExamples(sources.data) : []
  const tools = opened
    .filter(({ ref }) => calls.every(call => call.ref !== ref))
    .filter(({ source }) => sources.data?.sources.some(({ name }) => name === source))
    .slice(0, maxTools)
  const waiting = sources.data?.sources.some(needsAttention)
  // Nothing can be called yet: the page begins as the one without a source.
  const isClosed = sources.data?.sources.every(({ status }) => status === 'stopped') === true
  const hint = (
    <>
      Pick a tool from the list, search with <ShortcutKeys id="search" />, or jump with{' '}
      <ShortcutKeys id="palette" />.
    </>
  )
  if (
    jobs.length + calls.length + changes.length + examples.length === 0 &&
    !waiting &&
    !isClosed &&
    !changed.error
  )
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
          {isClosed && canAdd && <AddForm onDone={openSource} />}
          {isClosed && <ClosedSources />}
          {calls.length > 0 && <RecentCalls calls={calls} onOpen={openCall} />}
          {tools.length > 0 && <OpenedTools tools={tools} />}
          <Attention />
        </div>
        <div className={styles.column}>
          <ErrorNote error={changed.error} />
          {changes.length > 0 && <ChangedSources changes={changes} />}
          {jobs.length > 0 && <Jobs jobs={jobs} />}
          {examples.length > 0 && <Examples examples={examples} onOpened={openSource} />}
        </div>
      </div>
      <p className={join('muted', styles.hint)}>
        {hint}
        {canAdd && ' Drop a manifest or an mcp.json anywhere on this page to add it.'}
      </p>
    </div>
  )
}

/** The tools that the user opened last in this browser, without those of the recent calls. */
function OpenedTools({ tools }: { readonly tools: readonly StoredTool[] }) {
  const go = useWorkbenchNavigate()
  return (
    <OverviewList title="Tools you opened last">
      {tools.map(({ ref }) => (
        <OverviewRow key={ref} onOpen={() => go({ tool: ref, tab: undefined, about: undefined })}>
          <span className={overview.name}>{visibleName(ref)}</span>
        </OverviewRow>
      ))}
    </OverviewList>
  )
}
