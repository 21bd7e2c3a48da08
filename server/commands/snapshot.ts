/** `toolscope snapshot`: saves the current lists of the sources as versions in the store, or as a file. */

import { resolve } from 'node:path'
import { z } from 'zod'
import { AppError } from '../../core/errors.ts'
import { withoutUndefined } from '../../core/json/json.ts'
import { formatReference, isLabel } from '../../core/manifest/reference.ts'
import type { Snapshot, SnapshotManifest } from '../../core/manifest/snapshot.ts'
import { lockSources, lockText } from '../../core/manifest/version-files.ts'
import { counted } from '../../core/text/wording.ts'
import { updateLock } from '../pins/lock-file.ts'
import { fileStatus } from '../process/command-line.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { describeSnapshot } from '../versions/describe-snapshot.ts'
import { exportSnapshots, importSnapshots } from '../versions/snapshot-files.ts'
import {
  type CommandContext,
  configurationFields,
  defineCommand,
  readArgumentFile,
  sourceExits,
  sourceFields,
  writeText,
} from './command.ts'
import {
  type CatalogInput,
  chooseExitCode,
  readManifests,
  reportFailures,
  sourceNames,
  throwFirstFailure,
  withCatalog,
} from './open-catalog.ts'
import { writeLine } from './terminal.ts'

export const snapshotShape = z.object({
  reference: z.string().describe('What names it: acme@3.'),
  source: z.string(),
  number: z.number(),
  time: z.string(),
  hash: z.string(),
  toolCount: z.number(),
  cause: z.string(),
  version: z.string().optional(),
  git: z.string().optional(),
  labels: z.array(z.string()),
})

export function toSnapshotOutput(snapshot: Snapshot): z.infer<typeof snapshotShape> {
  return { ...snapshot, reference: formatReference(snapshot), labels: [...snapshot.labels] }
}

export const snapshotCommand = defineCommand({
  name: 'snapshot',
  description: 'Save what the sources list now as a version (acme@3), or as a lock file to commit.',
  input: z.object({
    ...sourceFields,
    label: z
      .string()
      .optional()
      .describe(
        'A label for these versions, such as release-2.1. A label that is in use moves to the new versions.',
      ),
    lock: z.string().optional().describe('Write the manifests into this file instead of the store.'),
    export: z.string().optional().describe('Write all saved versions of the named sources into this file.'),
    import: z.string().optional().describe('Import the versions of such a file.'),
    keep: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Keep only this many of the newest versions of a source and those with a label.'),
    keepDays: z
      .number()
      .min(0)
      .optional()
      .describe('Delete versions that are older than this many days and have no label.'),
    ...configurationFields,
  }),
  positionals: ['sources'],
  examples: [
    ['toolscope snapshot --label release-2.1', 'the sources of toolscope.json, with a label'],
    ['toolscope snapshot mcp.json --lock toolscope.lock.json', 'a lock file to commit'],
  ],
  exitCodes: sourceExits,
  output: z.object({
    snapshots: z.array(
      snapshotShape.extend({ added: z.boolean().describe('False if it was already stored.') }),
    ),
    file: z.string().optional().describe('The file that was written.'),
    removed: z.number().describe('How many versions were deleted.'),
  }),

  async run(input, context) {
    if (input.label !== undefined && !isLabel(input.label))
      throw new AppError('usage', `"${input.label}" cannot be a label`, {
        hint: 'A label holds letters, digits, ".", "_", "+" and "-", and is not a number or a date.',
      })
    if (input.lock !== undefined) return { output: await writeLock(input, input.lock, context) }
    // Imported late, because `list` imports from this file and does not need the store.
    const [{ openStore }, { storedSnapshots }] = await Promise.all([
      import('../store/open-store.ts'),
      import('../store/snapshots.ts'),
    ])
    const store = await openStore({
      environment: context.environment,
      databaseUrl: input.database,
      say: context.say,
    })
    try {
      const snapshots = storedSnapshots(store)
      if (input.export !== undefined) {
        const file = resolve(context.directory, input.export)
        const { text, count } = await exportSnapshots(snapshots, sourceNames(input.sources))
        writeText(file, text)
        context.say(`${count} versions in ${input.export}`)
        return { output: { snapshots: [], file, removed: 0 } }
      }
      if (input.import !== undefined) {
        const text = await readArgumentFile(resolve(context.directory, input.import))
        const added = await importSnapshots(snapshots, text, input.import)
        const listed = added.map(each => ({ ...toSnapshotOutput(each.snapshot), added: each.added }))
        return { output: { snapshots: listed, removed: 0 } }
      }
      return await take(input, snapshots, context)
    } finally {
      await store.close()
    }
  },

  print({ snapshots, file, removed }, context) {
    for (const { reference, toolCount, added, labels } of snapshots)
      writeLine(
        context,
        [reference, counted(toolCount, 'tool'), added ? 'new' : 'unchanged', ...labels].join(' · '),
      )
    if (file !== undefined) writeLine(context, file)
    if (removed > 0) context.say(`${removed} older versions were deleted.`)
  },
})

interface TakeInput extends CatalogInput {
  readonly label?: string | undefined
  readonly keep?: number | undefined
  readonly keepDays?: number | undefined
}

function take(input: TakeInput, snapshots: SnapshotStore, context: CommandContext) {
  const { label, keep, keepDays: maxDays } = input
  return withCatalog(input, context, async prepared => {
    const taken = []
    let removed = 0
    for (const { name, manifest } of readManifests(prepared)) {
      const described = await describeSnapshot(prepared.catalog.sources, name, manifest, 'command', context)
      const { snapshot, added } = await snapshots.add(described)
      if (label !== undefined) await snapshots.setLabel(name, snapshot.number, label)
      if (keep !== undefined || maxDays !== undefined)
        removed += await snapshots.prune(
          name,
          withoutUndefined({ maxCount: keep ?? Number.POSITIVE_INFINITY, maxDays }),
        )
      const labels = new Set([...snapshot.labels, ...(label === undefined ? [] : [label])])
      taken.push({ ...toSnapshotOutput({ ...snapshot, labels: [...labels] }), added })
    }
    return {
      output: { snapshots: taken, removed },
      exitCode: chooseExitCode(reportFailures(prepared, context)),
    }
  })
}

/** Throws if a source does not answer: the lock file must contain every source. What was approved in the file stays. */
function writeLock(input: TakeInput, path: string, context: CommandContext) {
  return withCatalog(input, context, async prepared => {
    throwFirstFailure(prepared)
    const manifests = new Map<string, SnapshotManifest>()
    for (const { name, manifest } of readManifests(prepared)) {
      const described = await describeSnapshot(prepared.catalog.sources, name, manifest, 'command', context)
      manifests.set(name, described.manifest.manifest)
    }
    const file = resolve(context.directory, path)
    const status = fileStatus(file)
    // A device or a pipe holds no pins, and cannot be replaced.
    if (status !== null && !status.isFile()) writeText(file, lockText(manifests))
    else
      await updateLock(file, contents => ({
        ...contents,
        others: { ...contents.others, sources: lockSources(manifests) },
      }))
    return { snapshots: [], file, removed: 0 }
  })
}
