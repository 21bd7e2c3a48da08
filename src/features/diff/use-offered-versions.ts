import { useQueries } from '@tanstack/react-query'
import type { Version, VersionList } from '../../../core/api/versions.ts'
import { useBackend } from '../../api/backend.ts'
import { versionsQuery } from '../../api/queries.ts'
import { useSources } from '../../api/use-sources.ts'
import { formatTime } from '../../ui/format.ts'

/** Versions of one source that are suggested. */
const limit = 20

/** The versions of the open sources that the two sides speak of, newest first. */
export function useOfferedVersions(before: string, after: string): readonly Version[] {
  const backend = useBackend()
  const { data: sources = [] } = useSources()
  const named = sources
    .map(source => source.name)
    .filter(name => [before, after].some(side => side === name || side.startsWith(`${name}@`)))
  return useQueries({
    queries: named.map(name => versionsQuery(backend, name, limit)),
    combine: distinct,
  })
}

/** Two sources may be read from one file: a commit of it is one version. */
function distinct(answers: readonly { readonly data?: VersionList | undefined }[]): readonly Version[] {
  const all = answers.flatMap(answer => answer.data?.versions ?? [])
  return [...new Map(all.map(version => [version.reference, version])).values()]
}

/** `21 Nov 2026, 10:04 · release-2.1`. */
export function describeVersion({ time, labels, subject, cause, name, kind }: Version): string {
  const when = formatTime(time, new Date())
  return [kind === 'git' && name, when, subject ?? cause, ...labels].filter(Boolean).join(' · ')
}
