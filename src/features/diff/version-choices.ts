/** The references that a side can have: sources and their versions, the source of the other side first. */
import type { SourceState } from '../../../core/api/sources.ts'
import type { SeverityCounts, Version } from '../../../core/api/versions.ts'
import { formatTime } from '../../ui/format.ts'

/** Versions of each source that are offered; others can be typed. */
export const maxVersions = 8

export interface VersionChoice {
  readonly reference: string
  readonly text: string
}

type NamedSource = Pick<SourceState, 'name' | 'status'>

/** Returns the source that a reference (`acme` or `acme@3`) names; undefined for a file. */
export function findReferencedSource<Source extends NamedSource>(
  sources: readonly Source[],
  reference: string,
): Source | undefined {
  const named = sources.filter(({ name }) => reference === name || reference.startsWith(`${name}@`))
  return named.sort((a, b) => b.name.length - a.name.length)[0]
}

/** Moves the source of the other side to the front, because users mostly compare its versions. */
export function withOwnFirst<Source extends NamedSource>(
  sources: readonly Source[],
  other: string,
): Source[] {
  const own = findReferencedSource(sources, other)
  return own ? [own, ...sources.filter(source => source !== own)] : [...sources]
}

/**
 * Returns `acme, now`, `acme, before 14:02:11`, then `acme@3, 12 Mar 09:30:00`: newest first. A closed source has no
 * "now". Omits the reference of the other side.
 */
export function listVersionChoices(
  { name: source, status }: NamedSource,
  versions: readonly Version[],
  other: string,
): readonly VersionChoice[] {
  const [newest, ...older] = versions
  const isCurrent = newest?.current === true
  const isOpen = status !== 'stopped' && status !== 'failed'
  const rest = isCurrent || other === `${source}@latest` ? older : versions
  const when = ({ time }: Version) => formatTime(time, new Date())
  const choices = rest.map((version, at) => {
    const about = [version.subject, ...version.labels].filter(Boolean).join(' · ')
    const name =
      isCurrent && at === 0 && version.kind === 'snapshot'
        ? `${source}, before ${when(newest)}`
        : `${version.name}, ${when(version)}`
    return { reference: version.reference, text: about === '' ? name : `${name} · ${about}` }
  })
  const now = isOpen ? [{ reference: source, text: `${source}, now` }] : []
  return [...now, ...choices].filter(({ reference }) => reference !== other)
}

/** Two references that are worth comparing. */
export interface ReferencePair {
  readonly a: string
  readonly b: string
  readonly source: string
  /** The name that distinguishes the pair within its source: `@2 → now`, `1f3a2b4c`. */
  readonly name: string
  /** More about it: a commit's subject. Hostile text. */
  readonly about?: string
  /** Time of the later one, in ISO 8601; absent for the current source. */
  readonly time?: string
  /** The number of changes; absent if they were not counted. */
  readonly counts?: SeverityCounts
}

/** Returns a source's newest version and the one before; undefined if there is only one. */
export function newestPair(source: NamedSource, versions: readonly Version[]): ReferencePair | undefined {
  const [newest, before] = versions.filter(({ kind }) => kind === 'snapshot')
  if (newest === undefined || before === undefined) return undefined
  const isNow = newest.current === true
  return {
    a: before.reference,
    b: isNow ? source.name : newest.reference,
    source: source.name,
    name: `@${before.number} → ${isNow ? 'now' : `@${newest.number}`}`,
    ...pick(newest),
  }
}

/**
 * Returns the open sources that are the same server at different versions, each with the next one: the older version
 * first, compared as numbers.
 */
export function sameServerPairs(
  sources: readonly Pick<SourceState, 'name' | 'serverInfo'>[],
): readonly ReferencePair[] {
  const names = new Set(sources.flatMap(({ serverInfo }) => serverInfo?.name ?? []))
  return [...names].flatMap(server => {
    const group = sources.filter(({ serverInfo }) => serverInfo?.name === server)
    const sorted = group.toSorted((x, y) => compareVersions(readVersion(x), readVersion(y)))
    return sorted.slice(1).flatMap((after, at) => {
      const before = sorted[at]
      if (before === undefined || readVersion(before) === readVersion(after)) return []
      const name = `${readVersion(before)} → ${readVersion(after)}`
      return [{ a: before.name, b: after.name, source: `${before.name} → ${after.name}`, name }]
    })
  })
}

const readVersion = ({ serverInfo }: Pick<SourceState, 'serverInfo'>) => serverInfo?.version ?? ''

const compareVersions = new Intl.Collator('en', { numeric: true }).compare

/** Returns the current source with the last commit, then each commit with the one before. */
export function commitPairs(
  { name: source }: NamedSource,
  versions: readonly Version[],
): readonly ReferencePair[] {
  const commits = versions.filter(({ kind }) => kind === 'git')
  const [last] = commits
  if (last === undefined) return []
  const now = {
    a: last.reference,
    b: source,
    source,
    name: `${last.name} → now`,
    about: 'since the last commit',
  }
  const pairs = commits.flatMap((commit, at) => {
    const before = commits[at + 1]
    if (before === undefined) return []
    const { name, subject } = commit
    return [
      {
        a: before.reference,
        b: commit.reference,
        source,
        name,
        ...pick(commit),
        ...(subject === undefined ? {} : { about: subject }),
      },
    ]
  })
  return [now, ...pairs]
}

const pick = ({ time, counts }: Version) => ({ time, ...(counts === undefined ? {} : { counts }) })
