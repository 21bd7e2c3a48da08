/**
 * Lists the versions that a user names on the command line: the kept ones of a source, the commits of a file, or
 * several manifests.
 */
import { basename, dirname, extname, resolve } from 'node:path'
import { AppError } from '../../core/errors.ts'
import { detectSource } from '../recognise/detect-source.ts'
import type { SourceContext } from '../sources/source.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { type ListedVersion, listedVersion } from './choose-versions.ts'
import { fileInRepository } from './git-repository.ts'
import { type ReferenceOptions, readReference } from './read-reference.ts'
import { gitVersions, readStoredVersions } from './source-timeline.ts'

/** At most this many commits of a file are read. */
const maxCommits = 10_000
const gitTimeoutMs = 20_000
const maxGitBytes = 256 * 1024 * 1024

export interface VersionTable {
  readonly title: string
  /** Newest first. */
  readonly list: readonly ListedVersion[]
}

/**
 * Returns the kept versions of a source, which may also be named by its file or program. Throws AppError
 * `snapshot-not-found` if none is kept.
 */
export async function listStoredVersions(
  named: string,
  store: SnapshotStore,
  context: SourceContext,
): Promise<VersionTable> {
  const listByTitle = async (title: string) => (await readStoredVersions(title, { store })).map(listedVersion)
  const byName = await listByTitle(named)
  if (byName.length > 0) return { title: named, list: byName }
  const source = await detectSource(named, context).catch(() => undefined)
  const title = source?.settings.name ?? named
  const list = await listByTitle(title)
  if (list.length > 0) return { title, list }
  const known = (await store.sources()).slice(0, 30)
  const others = known.length > 0 ? `; there are versions of ${known.join(', ')}` : ''
  throw new AppError('snapshot-not-found', `no version of ${title} is kept${others}`, {
    hint: 'To keep one: `toolscope snapshot SOURCE`. For the commits of a manifest file: `toolscope changelog --git FILE`. For files: `toolscope changelog OLD NEW…`.',
  })
}

/** Returns the commits that changed a file, through renames. Throws AppError `source-not-found` if there are none. */
export async function listCommits(
  path: string,
  { directory, environment }: SourceContext,
  signal: AbortSignal,
): Promise<VersionTable> {
  const file = resolve(directory, path)
  const asker = { environment, signal, timeoutMs: gitTimeoutMs, maxOutputBytes: maxGitBytes }
  const list = await gitVersions(maxCommits, { manifestPath: file, asker })
  if (list.length > 0)
    return { title: basename(path), list: list.map(entry => shortReference(listedVersion(entry))) }
  const { repository } = fileInRepository(file) ?? {}
  throw new AppError(
    'source-not-found',
    repository
      ? `no commit of ${repository.workTree} changed ${path}`
      : `there is no file ${file} in a git repository of yours`,
    { hint: 'Name a manifest file that is committed: toolscope changelog --git tools.json.' },
  )
}

/** @param references oldest first. Reading one throws as `readReference` does. */
export function listManifests(references: readonly string[], options: ReferenceOptions): VersionTable {
  const folder = commonFolder(references, options.context.directory)
  const list = references.map(
    (reference): ListedVersion => ({
      reference,
      name: folder === undefined ? reference : basename(reference, extname(reference)),
      aliases: [basename(reference)],
      read: async () => (await readReference(reference, options)).side,
    }),
  )
  const title = folder === undefined ? `${references[0]} to ${references.at(-1)}` : basename(folder)
  return { title, list: list.reverse() }
}

/** Returns the folder of all the files; undefined if they are in several folders, or if one is not a file. */
function commonFolder(references: readonly string[], directory: string): string | undefined {
  const folders = references.map(reference =>
    extname(reference) === '.json' && !reference.includes(':')
      ? dirname(resolve(directory, reference))
      : undefined,
  )
  const [folder] = folders
  return folders.every(each => each === folder) ? folder : undefined
}

/** Unique in any repository, and short enough for a command in one line. */
const hashDigits = 12

function shortReference(version: ListedVersion): ListedVersion {
  return {
    ...version,
    reference: version.reference.replace(/^git:[0-9a-f]+/, git => git.slice(0, 'git:'.length + hashDigits)),
  }
}
