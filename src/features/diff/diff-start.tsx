import { useQueries, useQuery } from '@tanstack/react-query'
import { GitCommitHorizontal } from 'lucide-react'
import { useRef } from 'react'
import { manifestFormatWords } from '../../../core/manifest/manifest-formats.ts'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { Loading } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { formatAge } from '../../ui/format.ts'
import { join } from '../../ui/join.ts'
import notes from '../../ui/notes.module.css'
import overview from '../../ui/overview.module.css'
import { OverviewList, OverviewRow } from '../../ui/overview.tsx'
import { CountsBadges } from '../../ui/severity-badges.tsx'
import { useNow } from '../../ui/use-now.ts'
import { useDiffSearch } from './diff-search.ts'
import styles from './diff-start.module.css'
import {
  commitPairs,
  findReferencedSource,
  listVersionChoices,
  maxVersions,
  newestPair,
  type ReferencePair,
  sameServerPairs,
} from './version-choices.ts'

interface DiffStartProps {
  readonly onCompare: (a: string, b: string) => void
  /** Compares local files; absent if the backend cannot. */
  readonly onFiles: ((files: readonly File[]) => void) | undefined
}

/** Suggests comparisons that one click starts; if one side is chosen, suggests the other side. */
export function DiffStart({ onCompare, onFiles }: DiffStartProps) {
  const [{ a, b }] = useDiffSearch()
  const isEmpty = a === undefined && b === undefined
  return (
    <div className={join('scroll', styles.page)}>
      <div className={styles.start}>
        <div>
          <h2 className={styles.title}>Compare two versions</h2>
          <p className="muted">Compatible changes are proved; breaking ones come with an input that fails.</p>
        </div>
        {isEmpty ? <ComparablePairs onCompare={onCompare} /> : <OtherSide />}
        {onFiles && <FilesToCompare isBoth={isEmpty} onFiles={onFiles} />}
        <OtherReferences />
      </div>
    </div>
  )
}

/** Versions of the chosen source, then the open sources. */
function OtherSide() {
  const [{ a, b }, go] = useDiffSearch()
  const { data: sources = [] } = useSources()
  const missing = a === undefined ? 'a' : 'b'
  const other = a ?? b ?? ''
  const own = findReferencedSource(sources, other)
  const side = missing === 'a' ? 'Before:' : 'After:'
  const offered = sources.filter(source => source !== own && source.status !== 'stopped').slice(0, 12)
  return (
    <>
      <OwnVersions other={other} side={side} onPick={reference => go({ [missing]: reference })} />
      {offered.length > 0 && (
        <div className="row wrap">
          <span className="muted">{own ? 'Another source:' : side}</span>
          {offered.map(source => (
            <Button key={source.name} onClick={() => go({ [missing]: source.name })}>
              {source.name}
            </Button>
          ))}
        </div>
      )}
    </>
  )
}

interface OwnVersionsProps {
  /** The chosen side, or an empty text. */
  readonly other: string
  readonly side: string
  readonly onPick: (reference: string) => void
}

/** The other versions of the chosen source. */
function OwnVersions({ other, side, onPick }: OwnVersionsProps) {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const own = findReferencedSource(sources, other)
  const query = versionsQuery(backend, own?.name ?? '', maxVersions)
  const { data } = useQuery({ ...query, enabled: query.enabled === true && own !== undefined })
  const choices = own && data ? listVersionChoices(own, data.versions, other) : []
  if (choices.length === 0) return null
  return (
    <div className="row wrap">
      <span className="muted">{side}</span>
      {choices.slice(0, maxVersions).map(({ reference, text }) => (
        <Button key={reference} onClick={() => onPick(reference)}>
          {text}
        </Button>
      ))}
    </div>
  )
}

interface FilesToCompareProps {
  /** Whether files are needed for both sides. */
  readonly isBoth: boolean
  readonly onFiles: (files: readonly File[]) => void
}

/** Asks for files to drop; the whole page accepts them. */
function FilesToCompare({ isBoth, onFiles }: FilesToCompareProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <div className={join('row wrap', styles.files)}>
      <p className="grow">
        {isBoth ? 'Drop two manifest files here.' : 'Drop a manifest file here for this side.'}{' '}
        <span className="muted">
          {isBoth
            ? 'The older file is “Before”. Files are compared and not kept.'
            : 'A file is compared and not kept.'}
        </span>
      </p>
      <Button onClick={() => input.current?.click()}>Choose files…</Button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label="Files to compare"
        accept=".json,application/json"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          // Lets the user choose the same files again after an edit.
          target.value = ''
        }}
      />
    </div>
  )
}

function OtherReferences() {
  return (
    <details className={styles.references}>
      <summary>Other references</summary>
      <p>Each side is one of these:</p>
      <dl className={notes.ways}>
        <dt>An open source</dt>
        <dd>by its name, as in the bar above</dd>
        <dt>A version of it</dt>
        <dd>
          <code>acme@3</code>, <code>acme@previous</code>, <code>acme@2026-11-21</code>, or by a label
        </dd>
        <dt>A manifest file</dt>
        <dd>
          <code>old/tools.json</code>: {manifestFormatWords}
        </dd>
        <dt>File at a Git revision</dt>
        <dd>
          <code>git:HEAD~3:tools.json</code>
        </dd>
      </dl>
    </details>
  )
}

/** Sources whose versions are requested; others are in the menu of each side. */
const maxSources = 12
/** Versions requested of each source and kind: enough for two commits, each with the one before it. */
const maxListed = 3
const maxRows = 8

interface ComparablePairsProps {
  readonly onCompare: (a: string, b: string) => void
}

/** Suggested pairs: open sources of the same server, versions of the open sources, and commits that changed their manifests. */
function ComparablePairs({ onCompare }: ComparablePairsProps) {
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
  // The lists are shown together, because a later one would move the others.
  if (sources.isLoading || isLoading) return <Loading>Reading versions…</Loading>
  const versions = open.flatMap((source, at) => newestPair(source, lists[at] ?? []) ?? [])
  const commits = open.flatMap((source, at) => commitPairs(source, lists[at] ?? []))
  const servers = sameServerPairs(open)
  if (servers.length + versions.length + commits.length === 0)
    return <p>No open source has a second version yet. There is one when its list changes.</p>
  const list = (title: string, pairs: readonly ReferencePair[], isGit: boolean) =>
    pairs.length > 0 && (
      <OverviewList title={title}>
        {pairs.slice(0, maxRows).map(pair => (
          <PairRow key={`${pair.a} ${pair.b}`} pair={pair} isGit={isGit} onCompare={onCompare} />
        ))}
      </OverviewList>
    )
  return (
    <>
      {list('Open sources of the same server', servers, false)}
      {list('Newest version against the one before', versions.toSorted(byTime), false)}
      {list('Commits that changed a manifest', commits, true)}
    </>
  )
}

const byTime = (left: ReferencePair, right: ReferencePair) =>
  Date.parse(right.time ?? '') - Date.parse(left.time ?? '')

interface PairRowProps extends ComparablePairsProps {
  readonly pair: ReferencePair
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
