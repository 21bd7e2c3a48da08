/** Reads the lists of a program at two revisions of a git repository, each checked out into a folder of its own. */
import { mkdtemp, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import parseArgv from 'string-argv'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { findRevisionProblem } from '../../core/manifest/reference.ts'
import { formatCommand, isDirectory, resolveProgram } from '../process/command-line.ts'
import { runToEnd } from '../process/process.ts'
import { detectSource } from '../recognise/detect-source.ts'
import type { SourceOptions } from '../sources/source.ts'
import { askGit, type Repository, repositoryAt, runGit } from './git-repository.ts'
import { type Referred, readSource } from './read-reference.ts'

/** A large repository takes long to check out, and an installation longer. */
const checkoutTimeoutMs = 120_000
const installTimeoutMs = 900_000

export interface RevisionOptions {
  /** A folder of the repository; the command runs in the same folder of each checkout. */
  readonly directory: string
  /** The words of the command that starts the server or program. */
  readonly command: readonly string[]
  /** A command that runs in each checkout before `command`: `npm ci`. */
  readonly install?: string | undefined
  readonly environment: NodeJS.ProcessEnv
  /** Options of the command line for the command. */
  readonly sourceOptions?: SourceOptions
  readonly signal: AbortSignal
  /** Receives progress messages. */
  say(line: string): void
}

/**
 * Reads both lists, one after the other. The work tree stays unchanged, and the checkouts are removed. Throws AppError
 * `source-not-found` if a revision does not exist, `source-failed` if a checkout or the installation fails, and the
 * source's own errors.
 */
export async function readRevisions(
  revisions: readonly [string, string],
  options: RevisionOptions,
): Promise<[Referred, Referred]> {
  const directory = await realpath(options.directory)
  const repository = repositoryAt(directory)
  if (repository === null)
    throw new AppError('source-not-found', `there is no git repository of yours at ${directory}`, {
      hint: 'Run it in the repository whose revisions are compared.',
    })
  const commits = [
    await resolveCommit(revisions[0], repository, options),
    await resolveCommit(revisions[1], repository, options),
  ] as const
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'toolscope-revisions-')))
  const inside = relative(repository.workTree, directory)
  const read = async (side: 'before' | 'after', revision: string, commit: string) => {
    const checkout = join(folder, side)
    const label = commit.startsWith(revision) ? commit.slice(0, 8) : `${revision} (${commit.slice(0, 8)})`
    await checkOut(repository, commit, checkout, options)
    try {
      if (!isDirectory(join(checkout, inside)))
        throw new AppError('source-not-found', `${label} has no folder ${inside}`, {
          hint: 'The command runs in the same folder of both revisions. Run the comparison in a folder that both have.',
        })
      return await readCheckout(label, join(checkout, inside), options)
    } finally {
      // Also after Ctrl-C, because the repository records every checkout. The time limit is that of `git`.
      await git(repository, ['worktree', 'remove', '--force', checkout], {
        ...options,
        signal: new AbortController().signal,
      })
    }
  }
  try {
    return [await read('before', revisions[0], commits[0]), await read('after', revisions[1], commits[1])]
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const git = (repository: Repository, args: readonly string[], options: RevisionOptions) =>
  runGit(repository, args, { ...options, timeoutMs: checkoutTimeoutMs })

async function resolveCommit(
  revision: string,
  repository: Repository,
  options: RevisionOptions,
): Promise<string> {
  const problem = findRevisionProblem(revision)
  if (problem !== undefined) throw new AppError('source-not-found', `${JSON.stringify(revision)} ${problem}`)
  const commit = await askGit(
    repository,
    ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`],
    options,
  )
  if (commit !== null) return commit.trim()
  throw new AppError('source-not-found', `git knows no revision "${revision}" in ${repository.workTree}`, {
    hint: 'Name a commit, branch or tag. A shallow clone has few: fetch it first (git fetch origin main).',
  })
}

async function checkOut(repository: Repository, commit: string, path: string, options: RevisionOptions) {
  const result = await git(repository, ['worktree', 'add', '--quiet', '--detach', path, commit], options)
  if (result.end !== 'exit' || result.exitCode !== 0)
    throw new AppError('source-failed', `${commit.slice(0, 8)} could not be checked out`, {
      output: result.spawnError?.message ?? result.stderr,
    })
}

async function readCheckout(label: string, directory: string, options: RevisionOptions): Promise<Referred> {
  const { command, install, environment, signal, say } = options
  if (install !== undefined) {
    say(`${label}: ${install}`)
    const [program = '', ...args] = resolveProgram(parseArgv(install), directory, environment)
    const result = await runToEnd(program, args, {
      directory,
      environment,
      signal,
      timeoutMs: installTimeoutMs,
    })
    signal.throwIfAborted()
    if (result.end !== 'exit' || result.exitCode !== 0)
      throw new AppError('source-failed', `${label}: ${install} failed (${result.exitCode ?? result.end})`, {
        output: result.spawnError?.message ?? `${result.stdout.slice(-2_000)}${result.stderr}`,
      })
  }
  say(`${label}: ${formatCommand(command)}`)
  const context = { directory, environment, ...withoutUndefined({ options: options.sourceOptions }) }
  try {
    return await readSource(label, await detectSource(command, context), { context, signal })
  } catch (thrown) {
    throw install === undefined && thrown instanceof AppError ? withInstallHint(thrown) : thrown
  }
}

/** A checkout has no installed packages: the usual reason of a start that fails only there. */
function withInstallHint(error: AppError): AppError {
  const hint = 'A checkout has no installed packages. If the command needs them, add --install "npm ci".'
  return error.with({ hint })
}
