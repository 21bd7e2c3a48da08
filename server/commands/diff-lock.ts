/** A lock file compared with its sources as they are now. Needs no store. */
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { DiffReport } from '../../core/diff/change.ts'
import { type DiffOptions, diffManifests } from '../../core/diff/diff-manifests.ts'
import { AppError, messageOf } from '../../core/errors.ts'
import { mergeReports } from '../../core/snapshot/merge-reports.ts'
import { snapshotManifest } from '../../core/snapshot/snapshot.ts'
import { parseLock } from '../../core/snapshot/version-files.ts'
import type { CommandContext } from './command.ts'
import { openCatalog, openFailures } from './open-catalog.ts'

export interface LockInput {
  readonly lock: string
  /** Sources as arguments; those of the configuration where there are none. */
  readonly sources: readonly string[]
  readonly config?: string | undefined
}

/**
 * Compares each source of the lock file with the one of that name. Without named sources, one that is locked and no
 * longer configured counts as removed with all its tools. Throws the first error of a source that gives no list.
 */
export async function diffLock(
  input: LockInput,
  options: DiffOptions,
  context: CommandContext,
): Promise<DiffReport> {
  const locked = parseLock(await readLock(input.lock, context), input.lock)
  const prepared = await openCatalog(input, context)
  const { catalog } = prepared
  try {
    const [failure] = openFailures(prepared)
    if (failure !== undefined) throw failure
    const names = catalog.sources.list().map(source => source.name)
    for (const name of names.filter(each => !locked.has(each)))
      context.say(`${name} is not in ${input.lock}; toolscope snapshot --lock ${input.lock} adds it.`)
    const compared = [...locked].filter(([name]) => input.sources.length === 0 || names.includes(name))
    if (compared.length === 0)
      throw new AppError(
        'usage',
        `${input.lock} holds ${[...locked.keys()].join(', ') || 'nothing'}, and none of these is open`,
      )
    const parts = []
    for (const [source, before] of compared) {
      const now = catalog.sources.find(source)?.manifest
      const after = now === undefined ? { tools: [] } : snapshotManifest(now)
      parts.push({ source, report: await diffManifests(before, after, options) })
    }
    return mergeReports(parts)
  } finally {
    await catalog.close()
  }
}

async function readLock(path: string, context: CommandContext): Promise<string> {
  try {
    return await readFile(resolve(context.directory, path), 'utf8')
  } catch (thrown) {
    throw new AppError('usage', `${path} could not be read: ${messageOf(thrown)}`, {
      hint: `Write it first: toolscope snapshot --lock ${path}`,
    })
  }
}
