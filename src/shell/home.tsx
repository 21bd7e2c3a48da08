import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeftRight, type LucideIcon, Play, Rows3 } from 'lucide-react'
import { useState } from 'react'
import { visibleName } from '../../core/text/plain-text.ts'
import { useBackend } from '../api/backend.ts'
import { recentCallsQuery } from '../api/history.ts'
import { changesQuery, firstToolsQuery, sourcesQuery, versionsQuery } from '../api/queries.ts'
import { useRefusal } from '../api/use-refusal.ts'
import { useSources } from '../api/use-sources.ts'
import { newestPair } from '../features/diff/version-choices.ts'
import { RecentCalls } from '../features/history/recent-calls.tsx'
import { AddForm } from '../features/sources/add-form.tsx'
import { Attention, ClosedSources } from '../features/sources/attention.tsx'
import { Examples, offeredExamples } from '../features/sources/examples.tsx'
import { needsAttention } from '../features/sources/source-status.ts'
import { ChangedSources, useLookedVersions } from '../features/versions/changed-sources.tsx'
import { useWorkbenchNavigate } from '../navigation.ts'
import { plural } from '../ui/format.ts'
import { requestInputFocus } from '../ui/input-focus.ts'
import { join } from '../ui/join.ts'
import { ShortcutKeys } from '../ui/kbd.tsx'
import { EmptyState, ErrorNote } from '../ui/notes.tsx'
import overview from '../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../ui/overview.tsx'
import { recentTools, type StoredTool } from '../ui/stored-tools.ts'
import styles from './home.module.css'
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

interface StartJob {
  readonly icon: LucideIcon
  readonly title: string
  readonly about: string
  readonly open: () => void
}

/** Sources whose versions are requested. */
const maxSources = 6

/**
 * Returns the jobs that one click starts with the open sources: browse one, call a tool, compare two versions. Undefined
 * while they are read.
 */
export function useJobs(): readonly StartJob[] | undefined {
  const backend = useBackend()
  const go = useWorkbenchNavigate()
  const navigate = useNavigate()
  const sources = useSources()
  const open = (sources.data ?? []).filter(({ toolCount }) => toolCount > 0)
  const canCall = backend.has('POST /api/invocations')
  // A tool that only reads is the safer one to try.
  const readers = useQuery(firstToolsQuery(backend, ['read-only', 'callable']))
  const callable = useQuery(firstToolsQuery(backend, ['callable']))
  const pairs = useQueries({
    queries: open.slice(0, maxSources).map(({ name }) => versionsQuery(backend, name, 3)),
    combine: answers => ({
      areLoading: answers.some(answer => answer.isLoading),
      list: answers.flatMap(({ data }, at) => {
        const source = open[at]
        return (source && newestPair(source, data?.versions ?? [])) ?? []
      }),
    }),
  })
  if (sources.isLoading || readers.isLoading || callable.isLoading || pairs.areLoading) return undefined
  const jobs: StartJob[] = []
  const [source] = open
  if (source !== undefined)
    jobs.push({
      icon: Rows3,
      title: 'Browse a source',
      about: `${source.name}, ${plural(source.toolCount, 'tool')}`,
      open: () => go({ about: source.name, tool: undefined }),
    })
  const tool = readers.data?.tools[0] ?? callable.data?.tools[0]
  if (tool !== undefined && canCall)
    jobs.push({
      icon: Play,
      title: 'Call a tool',
      about: visibleName(tool.ref),
      open() {
        requestInputFocus(tool.ref)
        go({ tool: tool.ref, tab: undefined, about: undefined })
      },
    })
  const [pair] = pairs.list
  if (source !== undefined && backend.has('GET /api/diff'))
    jobs.push({
      icon: ArrowLeftRight,
      title: 'Compare two versions',
      about: pair ? `${pair.source}, ${pair.name}` : 'of a source, or two files',
      open: () => void navigate({ to: '/diff', search: pair ? { a: pair.a, b: pair.b } : {} }),
    })
  return jobs
}

/** A list of the jobs; a click starts one. */
export function Jobs({ jobs }: { readonly jobs: readonly StartJob[] }) {
  return (
    <OverviewList title="Start here">
      {jobs.map(({ icon: Icon, title, about, open }) => (
        <OverviewRow key={title} onOpen={open}>
          <Icon size={14} aria-hidden className="muted" />
          <span>{title}</span>
          <span className="truncate muted grow">{about}</span>
        </OverviewRow>
      ))}
    </OverviewList>
  )
}
