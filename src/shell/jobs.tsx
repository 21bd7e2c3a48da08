import { useQueries, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { ArrowLeftRight, type LucideIcon, Play, Rows3 } from 'lucide-react'
import { visibleName } from '../../core/text/plain-text.ts'
import { useBackend } from '../api/backend.ts'
import { firstToolsQuery, versionsQuery } from '../api/queries.ts'
import { useSources } from '../api/use-sources.ts'
import { newestPair } from '../features/diff/version-choices.ts'
import { useWorkbenchNavigate } from '../navigation.ts'
import { plural } from '../ui/format.ts'
import { requestInputFocus } from '../ui/input-focus.ts'
import { OverviewList, OverviewRow } from '../ui/overview.tsx'

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
