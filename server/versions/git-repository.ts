/**
 * Reads a file's history from git. A folder may come from anywhere: nothing that its repository's settings, hooks,
 * objects or neighbouring files name is ever run or fetched, and nothing is written. docs/security.md lists the traps.
 */
import { existsSync, readFileSync, realpathSync } from 'node:fs'
import { devNull } from 'node:os'
import { basename, delimiter, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { parseManifestText } from '../../core/manifest/read-manifest.ts'
import { type SnapshotManifest, snapshotManifest } from '../../core/manifest/snapshot.ts'
import { isOwned } from '../process/owner.ts'
import { type RunResult, runToEnd } from '../process/process.ts'

const gitTimeoutMs = 5_000
const defaultMaxOutputBytes = 8 * 1024 * 1024

/** Turns off settings that would start a program; these override the repository's own. */
const settings = {
  'safe.bareRepository': 'explicit',
  'core.fsmonitor': 'false',
  'core.hooksPath': devNull,
  'core.sshCommand': 'false',
  'core.gitProxy': 'false',
  'core.askPass': 'false',
  'core.alternateRefsCommand': 'false',
  'credential.helper': '',
  'gpg.program': 'false',
  'log.showSignature': 'false',
  'protocol.allow': 'never',
}
const options = [
  ...Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
  '--no-pager',
  '--no-replace-objects',
  '--literal-pathspecs',
]

const variables = {
  GIT_CONFIG_GLOBAL: devNull,
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_ATTR_NOSYSTEM: '1',
  // Missing objects are not fetched from a remote. The second variable is for git before 2.39.4.
  GIT_NO_LAZY_FETCH: '1',
  GIT_ALLOW_PROTOCOL: 'none',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  LC_ALL: 'C',
  // Otherwise Windows looks for git in the folder first.
  NoDefaultCurrentDirectoryInExePath: '1',
}

export interface GitAsker {
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
  /** Time limit of one command; 5 s by default. */
  readonly timeoutMs?: number
  /** Output limit of one command; 8 MiB by default. */
  readonly maxOutputBytes?: number
}

/**
 * The two paths of a repository, which are passed to git so that it does not search for one. Absolute, without
 * symlinks.
 */
export interface Repository {
  readonly gitDirectory: string
  readonly workTree: string
}

/**
 * Returns the repository of a folder: the nearest folder upward that contains `.git`. Null if no folder contains it, or if
 * another user owns it, as git itself decides (safe.directory). A bare repository does not count. Starts no process.
 */
export function repositoryAt(folder: string, userId = process.getuid?.()): Repository | null {
  for (let workTree = resolve(folder); ; workTree = dirname(workTree)) {
    const gitDirectory = join(workTree, '.git')
    if (existsSync(gitDirectory)) {
      const isOwn = [workTree, gitDirectory, ...linkedDirectory(gitDirectory)].every(path =>
        isOwned(path, userId),
      )
      return isOwn ? { gitDirectory, workTree } : null
    }
    if (dirname(workTree) === workTree) return null
  }
}

/** Returns the target of a `.git` file (a worktree of another repository, a submodule). gitrepository-layout(5) */
function linkedDirectory(gitFile: string): string[] {
  try {
    const [, path] = /^gitdir: (.+?)\r?\n?$/.exec(readFileSync(gitFile, 'utf8')) ?? []
    return path === undefined ? [] : [resolve(dirname(gitFile), path)]
  } catch {
    return []
  }
}

/** Returns the repository of a file, and its path there, with `/`. Null outside any repository. */
export function fileInRepository(path: string): { repository: Repository; name: string } | null {
  try {
    const real = realpathSync(path)
    const repository = repositoryAt(dirname(real))
    if (repository === null || basename(real) === '.git') return null
    return { repository, name: pathInside(repository, real) }
  } catch {
    return null
  }
}

/** Returns a path as git writes it: from the root of the repository, with `/`. */
export function pathInside({ workTree }: Repository, path: string): string {
  return relative(workTree, path).split(sep).join('/')
}

/** Runs git on a repository. Never throws. */
export function runGit(
  { gitDirectory, workTree }: Repository,
  args: readonly string[],
  { environment, signal, timeoutMs = gitTimeoutMs, maxOutputBytes = defaultMaxOutputBytes }: GitAsker,
): Promise<RunResult> {
  const inherited = Object.entries(environment).filter(
    ([name]) => !/^(GIT_|TOOLSCOPE_|SSH_ASKPASS$)/i.test(name),
  )
  const where = [`--git-dir=${gitDirectory}`, `--work-tree=${workTree}`]
  return runToEnd('git', [...where, ...options, ...args], {
    directory: workTree,
    environment: withoutRelativePath({ ...Object.fromEntries(inherited), ...variables }),
    signal,
    timeoutMs,
    maxOutputBytes,
  })
}

/** A relative entry of PATH would find a program called git in the repository. */
function withoutRelativePath(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).map(([name, value]) => [
      name,
      name.toUpperCase() === 'PATH' ? value?.split(delimiter).filter(isAbsolute).join(delimiter) : value,
    ]),
  )
}

/** Returns git's output, or null if git fails, is not installed, or takes too long. */
export async function askGit(
  repository: Repository,
  args: readonly string[],
  asker: GitAsker,
): Promise<string | null> {
  const result = await runGit(repository, args, asker)
  return result.end === 'exit' && result.exitCode === 0 ? result.stdout : null
}

/** Returns the revision that is checked out, followed by `+` if the file differs from it; undefined outside git. */
export async function gitRevision(paths: readonly string[], asker: GitAsker): Promise<string | undefined> {
  const [file] = paths.flatMap(path => fileInRepository(path) ?? [])
  if (file === undefined) return undefined
  const { repository, name } = file
  const head = (await askGit(repository, ['rev-parse', '--verify', 'HEAD'], asker))?.trim()
  if (head === undefined || !/^[0-9a-f]{40,64}$/.test(head)) return undefined
  const [committed, present] = await Promise.all([
    askGit(repository, ['rev-parse', '--verify', `HEAD:${name}`], asker),
    // Without the repository's filters, which are programs.
    askGit(repository, ['hash-object', '--no-filters', '--', name], asker),
  ])
  return committed === present ? head : `${head}+`
}

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
