/** Chooses the versions of a list for a changelog, and reads their content. */

import { AppError } from '../../core/errors.ts'
import type { ChangelogVersion } from '../../core/report/changelog.ts'
import { isCalled, type ListedVersion } from './listed-version.ts'

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
