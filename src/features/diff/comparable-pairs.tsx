import { useQueries } from '@tanstack/react-query'
import { GitCommitHorizontal } from 'lucide-react'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { CountsBadges } from '../../ui/counts-badges.tsx'
import { formatAge } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import overview from '../../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../../ui/overview.tsx'
import { Loading } from '../../ui/spinner.tsx'
import { useNow } from '../../ui/use-now.ts'
import styles from './nothing-chosen.module.css'
import { commitPairs, newestPair, type Pair } from './version-choices.ts'

/** Sources whose versions are asked for; others are in the menu of each side. */
const maxSources = 12
/** Versions of a source that are asked for, of each kind: enough for two commits, each with the one before it. */
const maxListed = 3
const maxRows = 8

interface ComparablePairsProps {
  readonly onCompare: (a: string, b: string) => void
}

/** What is worth comparing now: versions of the open sources, and commits that changed their manifests. */
export function ComparablePairs({ onCompare }: ComparablePairsProps) {
  const backend = useBackend()
  const sources = useSources()
  const open = (sources.data ?? []).filter(({ status }) => status !== 'stopped').slice(0, maxSources)
  const { isLoading, lists } = useQueries({
    queries: open.map(({ name }) => versionsQuery(backend, name, maxListed)),
    combine: answers => ({
      isLoading: answers.some(answer => answer.isLoading),
      lists: answers.map(({ data }) => data?.versions ?? []),
    }),
  })
  // All at once: a list that came later would move the others.
  if (sources.isLoading || isLoading) return <Loading>Reading versions…</Loading>
  const versions = open.flatMap((source, at) => newestPair(source, lists[at] ?? []) ?? [])
  const commits = open.flatMap((source, at) => commitPairs(source, lists[at] ?? []))
  if (versions.length + commits.length === 0)
    return <p>No open source has a second version yet. There is one when its list changes.</p>
  const list = (title: string, pairs: readonly Pair[], isGit: boolean) =>
    pairs.length > 0 && (
      <OverviewList title={title}>
        {pairs.slice(0, maxRows).map(pair => (
          <PairRow key={`${pair.a} ${pair.b}`} pair={pair} isGit={isGit} onCompare={onCompare} />
        ))}
      </OverviewList>
    )
  return (
    <>
      {list('Newest version against the one before', versions.toSorted(byTime), false)}
      {list('Commits that changed a manifest', commits, true)}
    </>
  )
}

const byTime = (left: Pair, right: Pair) => Date.parse(right.time ?? '') - Date.parse(left.time ?? '')

interface PairRowProps extends ComparablePairsProps {
  readonly pair: Pair
  readonly isGit: boolean
}

function PairRow({ pair: { a, b, source, name, about, time, counts }, isGit, onCompare }: PairRowProps) {
  const now = new Date(useNow())
  return (
    <OverviewRow onOpen={() => onCompare(a, b)}>
      {isGit && <GitCommitHorizontal size={14} aria-label="Commit" className="muted" />}
      <span className={overview.name}>{source}</span>
      <span className={styles.pair}>{name}</span>
      <span className="truncate muted grow">{about}</span>
      {time !== undefined && (
        <time dateTime={time} className={join('note', styles.time)}>
          {formatAge(time, now)}
        </time>
      )}
      {counts && (
        <span className={join('row wrap', styles.counts)}>
          <CountsBadges counts={counts} />
        </span>
      )}
    </OverviewRow>
  )
}
