/** A version that a changelog may hold: what it is called, and how to read it. */

import { withoutUndefined } from '../../core/json/json.ts'
import type { ChangelogVersion } from '../../core/report/changelog.ts'
import type { TimelineEntry } from './source-timeline.ts'

export interface ListedVersion extends Omit<ChangelogVersion, 'side'> {
  /** Other words that name it: its number, its labels. */
  readonly aliases: readonly string[]
  /** 40 hex digits or more, of which the first seven name it too. */
  readonly commit?: string | undefined
  /** Equal for equal manifests of one kind of version; absent when it is known only by reading. */
  readonly hash?: string
  /** Null when it cannot be read as a manifest. */
  readonly read: () => Promise<ChangelogVersion['side'] | null>
}

/** A version that is kept, or a commit. */
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

/** Whether a word of the user names this version. */
export function isCalled({ name, reference, aliases, commit }: ListedVersion, word: string): boolean {
  const isCommit = /^[0-9a-f]{7,}$/.test(word) && commit?.startsWith(word) === true
  return isCommit || [name, reference, ...aliases].includes(word)
}
