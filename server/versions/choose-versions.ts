/** Chooses the versions of a list for a changelog, and reads their content. */

import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import type { ChangelogVersion } from '../../core/report/changelog.ts'
import type { TimelineEntry } from './source-timeline.ts'

export interface ChosenVersions {
  /** Oldest first. With `hasOlder`, the first one is only the base of the second. */
  readonly versions: readonly ChangelogVersion[]
  readonly hasOlder: boolean
  /** The number of versions before the chosen ones. */
  readonly older: number
  /** Names of chosen versions that could not be read as a manifest: they are left out. */
  readonly unreadable: readonly string[]
}

/**
 * Reads the newest versions of a list, and the one before them.
 *
 * @param list newest first
 * @param since a name, number, label or commit: only versions after that one. Throws AppError `snapshot-not-found` if
 * the list has no such version.
 */
export async function chooseVersions(
  list: readonly ListedVersion[],
  { limit, since }: { readonly limit: number; readonly since?: string | undefined },
): Promise<ChosenVersions> {
  const count = Math.min(limit, since === undefined ? list.length : findPosition(list, since))
  const [chosen, others] = [list.slice(0, count), list.slice(count)]
  const versions: ChangelogVersion[] = []
  const unreadable: string[] = []
  for (const listed of chosen) {
    const version = await readVersion(listed)
    if (version === null) unreadable.push(listed.name)
    else versions.push(version)
  }
  const base = await firstReadable(others)
  return {
    versions: [...versions, ...(base === null ? [] : [base])].reverse(),
    hasOlder: base !== null,
    older: others.length,
    unreadable,
  }
}

async function firstReadable(list: readonly ListedVersion[]): Promise<ChangelogVersion | null> {
  for (const listed of list) {
    const version = await readVersion(listed)
    if (version !== null) return version
  }
  return null
}

async function readVersion(listed: ListedVersion): Promise<ChangelogVersion | null> {
  const { reference, name, time, note } = listed
  const side = await listed.read()
  return side && { reference, name, time, note, side }
}

function findPosition(list: readonly ListedVersion[], since: string): number {
  const at = list.findIndex(version => isCalled(version, since))
  if (at >= 0) return at
  const [newest, oldest] = [list[0]?.name, list.at(-1)?.name]
  throw new AppError(
    'snapshot-not-found',
    `no version is called "${since}": there are ${oldest} to ${newest}`,
    {
      hint: 'Name a version, its number, a label or a commit: --since acme@3, --since release-2.1, --since 1f3a2b4c.',
    },
  )
}

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
