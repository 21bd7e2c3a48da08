/** A version for a changelog: its names, and how to read it. */

import { withoutUndefined } from '../../core/json/json.ts'
import type { ChangelogVersion } from '../../core/report/changelog.ts'
import type { TimelineEntry } from './source-timeline.ts'

export interface ListedVersion extends Omit<ChangelogVersion, 'side'> {
  /** Other names: its number, its labels. */
  readonly aliases: readonly string[]
  /** 40 hex digits or more; the first seven are a name too. */
  readonly commit?: string | undefined
  /** Equal for equal manifests of one kind of version; absent if the version must be read to know it. */
  readonly hash?: string
  /** Null if it cannot be read as a manifest. */
  readonly read: () => Promise<ChangelogVersion['side'] | null>
}

/** Converts a kept version or a commit. */
export function listedVersion({ version, hash, manifest }: TimelineEntry): ListedVersion {
  const { reference, name, time, labels, subject, number, kind, git } = version
  const facts = [version.version && `version ${version.version}`, ...labels, subject]
  const note = facts.filter(Boolean).join(' · ') || undefined
  return {
    reference,
    name,
    time,
    hash,
    aliases: [...labels, ...(number === undefined ? [] : [String(number)])],
    ...withoutUndefined({ note, commit: kind === 'git' ? git : undefined }),
    read: async () => {
      const read = await manifest()
      if (read === null) return null
      const { format: _format, callingConvention: _convention, ...side } = read
      return side
    },
  }
}

/** Whether the user's word names this version. */
export function isCalled({ name, reference, aliases, commit }: ListedVersion, word: string): boolean {
  const isCommit = /^[0-9a-f]{7,}$/.test(word) && commit?.startsWith(word) === true
  return isCommit || [name, reference, ...aliases].includes(word)
}
