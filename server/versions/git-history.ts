/** The versions of a file in git: every commit that changed it, through renames. */
import { parseManifestText } from '../../core/manifest/parse-manifest-text.ts'
import { type SnapshotManifest, snapshotManifest } from '../../core/manifest/snapshot.ts'
import { askGit, fileInRepository, type GitAsker, type Repository } from './git-repository.ts'

export interface GitVersion {
  /** The commit, 40 hex digits or more. */
  readonly commit: string
  /** When it was committed. ISO 8601. */
  readonly time: string
  /** First line of the message. Hostile text. */
  readonly subject: string
  /** The path of the file at that commit, from the root of the repository. */
  readonly path: string
  /** Git's hash of the file's content. */
  readonly blob: string
  readonly repository: Repository
}

/**
 * Returns the versions newest first, at most `limit`. Empty if there is no git, no repository or no commit. Never
 * throws.
 */
export async function gitHistory(
  path: string,
  limit: number,
  asker: GitAsker,
): Promise<readonly GitVersion[]> {
  const file = fileInRepository(path)
  if (file === null) return []
  const text = await askGit(
    file.repository,
    [
      'log',
      '--follow',
      '-M',
      // A commit that removed the file has no version of it.
      '--diff-filter=d',
      '--no-ext-diff',
      '--no-textconv',
      '-z',
      '--raw',
      '--no-abbrev',
      `--max-count=${limit}`,
      '--format=%x1e%H%x1f%cI%x1f%s%x1f',
      '--',
      file.name,
    ],
    asker,
  )
  return text === null ? [] : parseLog(text, file.repository)
}

/**
 * Modes, both blobs, the kind of change; then one path, or two for a rename: the last one is the path after the commit.
 */
const rawEntry = /^:\d+ \d+ [0-9a-f]+ ([0-9a-f]{40,64}) [A-Z]\d*$/

function parseLog(text: string, repository: Repository): readonly GitVersion[] {
  return text.split('\x1e').flatMap(part => {
    const [commit = '', time = '', subject = '', raw = ''] = part.split('\x1f')
    const [, head = '', ...paths] = raw.split('\0')
    const blob = rawEntry.exec(head.trim())?.[1]
    const path = paths.filter(each => each !== '').at(-1)
    if (!/^[0-9a-f]{40,64}$/.test(commit) || Number.isNaN(Date.parse(time))) return []
    if (blob === undefined || path === undefined) return []
    return [{ commit, time, subject: subject.slice(0, 300), path, blob, repository }]
  })
}

/** Returns the manifest at that commit; null if it cannot be read or is not a manifest. */
export async function gitManifest(version: GitVersion, asker: GitAsker): Promise<SnapshotManifest | null> {
  const text = await askGit(version.repository, ['cat-file', 'blob', version.blob], asker)
  try {
    return text === null ? null : snapshotManifest(parseManifestText(text))
  } catch {
    return null
  }
}

export function gitReference({ commit, path }: GitVersion): string {
  return `git:${commit}:${path}`
}
