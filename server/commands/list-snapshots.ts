/** `toolscope list --snapshots`: the versions that are kept. */
import type { z } from 'zod'
import { findSnapshot } from '../snapshots/find-snapshot.ts'
import { lazySnapshots } from '../snapshots/lazy-snapshots.ts'
import type { CommandContext } from './command.ts'
import { shown, type snapshotShape } from './snapshot.ts'

type Shown = z.infer<typeof snapshotShape>

/** Of the sources with these names, or of all. Throws `snapshot-not-found` for a name without any. */
export async function keptSnapshots(
  input: {
    readonly sources: readonly (string | readonly string[])[]
    readonly database?: string | undefined
  },
  context: CommandContext,
): Promise<Shown[]> {
  const { known, close } = lazySnapshots(input.database, context)
  try {
    const names = input.sources.map(source => (typeof source === 'string' ? source : source.join(' ')))
    const all: Shown[] = []
    for (const source of names.length > 0 ? names : await known.store.sources()) {
      const list = await known.store.list(source)
      if (list.length === 0) await findSnapshot(known.store, { source, selector: { kind: 'latest' } })
      all.push(...list.map(shown))
    }
    return all
  } finally {
    await close()
  }
}

export function printSnapshots(snapshots: readonly Shown[], context: CommandContext): void {
  if (snapshots.length === 0) context.say('No version is kept yet; toolscope snapshot keeps one.')
  for (const { reference, time, toolCount, cause, version, git, labels } of snapshots) {
    const facts = [
      reference,
      `${time.slice(0, 19)}Z`,
      `${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`,
      cause,
      version && `version ${version}`,
      git && `git ${git.slice(0, 8)}${git.endsWith('+') ? '+' : ''}`,
      ...labels.map(label => `[${label}]`),
    ]
    context.write(`${facts.filter(Boolean).join(' · ')}\n`)
  }
}
