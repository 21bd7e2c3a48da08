/** What git knows of a file: asked by plumbing that runs no program of the repository's choosing. */
import { existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { runToEnd } from '../process/process.ts'

const TIMEOUT_MS = 5_000
const MAX_OUTPUT_BYTES = 8 * 1024 * 1024

/** Switched off: what a repository's own settings could start, and what could write. */
const quiet = [
  '-c',
  'core.fsmonitor=false',
  '-c',
  'log.showSignature=false',
  '--no-pager',
  '--literal-pathspecs',
]

export interface GitAsker {
  readonly environment: NodeJS.ProcessEnv
  readonly signal: AbortSignal
}

/** The folder and the name by which git is asked for a file; null outside any repository. No process is started. */
export function gitPlace(path: string): { readonly folder: string; readonly name: string } | null {
  let real: string
  try {
    real = realpathSync(path)
  } catch {
    return null
  }
  for (let folder = dirname(real); ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return { folder: dirname(real), name: basename(real) }
    if (dirname(folder) === folder) return null
  }
}

/** What git prints, or null where it fails, is not installed, or takes longer than five seconds. */
export async function askGit(
  folder: string,
  args: readonly string[],
  { environment, signal }: GitAsker,
): Promise<string | null> {
  const result = await runToEnd('git', [...quiet, ...args], {
    directory: folder,
    environment: { ...environment, GIT_OPTIONAL_LOCKS: '0', GIT_TERMINAL_PROMPT: '0', LC_ALL: 'C' },
    signal,
    timeoutMs: TIMEOUT_MS,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  })
  return result.end === 'exit' && result.exitCode === 0 ? result.stdout : null
}

/** The revision that is checked out, with `+` after it where the file differs from it; undefined outside git. */
export async function gitRevision(paths: readonly string[], asker: GitAsker): Promise<string | undefined> {
  const path = paths.find(each => gitPlace(each) !== null)
  const place = path === undefined ? null : gitPlace(path)
  if (place === null) return undefined
  const head = (await askGit(place.folder, ['rev-parse', '--verify', 'HEAD'], asker))?.trim()
  if (head === undefined || !/^[0-9a-f]{40,64}$/.test(head)) return undefined
  const [committed, present] = await Promise.all([
    askGit(place.folder, ['rev-parse', '--verify', `HEAD:./${place.name}`], asker),
    // Without the repository's filters, which are programs.
    askGit(place.folder, ['hash-object', '--no-filters', '--', place.name], asker),
  ])
  return committed === present ? head : `${head}+`
}
