/** What a side of the comparison can be: the sources and their versions, those of the other side's source first. */
import type { SourceState } from '../../../core/api/sources.ts'
import type { Version } from '../../../core/api/versions.ts'
import { formatTime } from '../../ui/format.ts'
import { texts } from './texts.ts'

/** Versions of each source that are offered; others can be typed. */
export const maxVersions = 8

export interface Choice {
  readonly reference: string
  readonly text: string
}

type NamedSource = Pick<SourceState, 'name' | 'status'>

/** The source that a reference names by itself (`acme`) or by a version (`acme@3`); undefined for a file. */
export function sourceOf<Source extends NamedSource>(
  sources: readonly Source[],
  reference: string,
): Source | undefined {
  const named = sources.filter(({ name }) => reference === name || reference.startsWith(`${name}@`))
  return named.sort((a, b) => b.name.length - a.name.length)[0]
}

/** The source of the other side first: its own versions are what it is compared with most. */
export function withOwnFirst<Source extends NamedSource>(
  sources: readonly Source[],
  other: string,
): Source[] {
  const own = sourceOf(sources, other)
  return own ? [own, ...sources.filter(source => source !== own)] : [...sources]
}

/**
 * `acme, now`, `acme, before 14:02:11`, then `acme@3, 12 Mar 09:30:00`: newest first. A closed source has no "now". What
 * the other side is already is left out.
 */
export function choicesOf(
  { name: source, status }: NamedSource,
  versions: readonly Version[],
  other: string,
): readonly Choice[] {
  const [newest, ...older] = versions
  const isCurrent = newest?.current === true
  const isOpen = status !== 'stopped' && status !== 'failed'
  const rest = isCurrent || other === `${source}@latest` ? older : versions
  const when = ({ time }: Version) => formatTime(time, new Date())
  const kept = rest.map((version, at) => {
    const about = [version.subject, ...version.labels].filter(Boolean).join(' · ')
    const name =
      isCurrent && at === 0 && version.kind === 'snapshot'
        ? texts.versionBefore(source, when(newest))
        : `${version.name}, ${when(version)}`
    return { reference: version.reference, text: about === '' ? name : `${name} · ${about}` }
  })
  const now = isOpen ? [{ reference: source, text: texts.versionNow(source) }] : []
  return [...now, ...kept].filter(({ reference }) => reference !== other)
}
