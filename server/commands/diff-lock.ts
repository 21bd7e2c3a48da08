/** A lock file compared with its sources as they are now. Needs no store. */

import { resolve } from 'node:path'
import type { DiffReport } from '../../core/diff/change.ts'
import { type DiffOptions, diffManifests } from '../../core/diff/diff-manifests.ts'
import { mergeReports } from '../../core/diff/merge-reports.ts'
import { AppError } from '../../core/errors.ts'
import { snapshotManifest } from '../../core/manifest/snapshot.ts'
import { parseLock } from '../../core/manifest/version-files.ts'
import { type CommandContext, readText } from './command.ts'
import { type CatalogInput, demandAll, withCatalog } from './open-catalog.ts'

export interface LockInput extends CatalogInput {
  readonly lock: string
  /** Sources as arguments; those of the configuration where there are none. */
  readonly sources: readonly string[]
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
  const file = resolve(context.directory, input.lock)
  const hint = `Write it first: toolscope snapshot --lock ${input.lock}`
  const locked = parseLock(await readText(file, { name: input.lock, hint }), input.lock)
  return withCatalog(input, context, async prepared => {
    demandAll(prepared)
    const { sources } = prepared.catalog
    const names = sources.list().map(source => source.name)
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
      const now = sources.find(source)?.manifest
      const after = now === undefined ? { tools: [] } : snapshotManifest(now)
      parts.push({ source, report: await diffManifests(before, after, options) })
    }
    return mergeReports(parts)
  })
}
