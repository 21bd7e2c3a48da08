/** `toolscope snapshot`: keeps what the sources list now, as a version in the store or as a file. */
import { readFile, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { z } from 'zod'
import { AppError, exitCodes, messageOf } from '../../core/errors.ts'
import { isLabel, referenceOf } from '../../core/snapshot/reference.ts'
import type { Snapshot, SnapshotManifest } from '../../core/snapshot/snapshot.ts'
import { lockText } from '../../core/snapshot/version-files.ts'
import { describeSnapshot } from '../snapshots/describe-snapshot.ts'
import { exportSnapshots, importSnapshots } from '../snapshots/snapshot-files.ts'
import { openStore } from '../store/open-store.ts'
import type { SnapshotStore } from '../store/snapshot-store.ts'
import { storedSnapshots } from '../store/snapshots.ts'
import { type CommandContext, configField, databaseField, defineCommand, sourcesField } from './command.ts'
import { openCatalog, openFailures } from './open-catalog.ts'
import { printError } from './print-error.ts'

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

export function shown(snapshot: Snapshot): z.infer<typeof snapshotShape> {
  return { ...snapshot, reference: referenceOf(snapshot), labels: [...snapshot.labels] }
}

export const snapshot = defineCommand({
  name: 'snapshot',
  description:
    'Keep what the sources list now as a version to refer to (acme@3), or as a lock file to commit.',
  input: z.object({
    sources: sourcesField,
    label: z
      .string()
      .optional()
      .describe('A name for these versions: release-2.1. It moves if it is used already.'),
    lock: z.string().optional().describe('Write the manifests into this file instead of the store.'),
    export: z.string().optional().describe('Write all kept versions of the named sources into this file.'),
    import: z.string().optional().describe('Take the versions of such a file into the store.'),
    keep: z
      .number()
      .int()
      .min(1)
      .optional()
      .describe('Delete all but this many of the newest versions of a source. Labelled ones stay.'),
    keepDays: z
      .number()
      .min(0)
      .optional()
      .describe('Delete versions older than this many days. Labelled ones stay.'),
    config: configField,
    database: databaseField,
  }),
  positionals: ['sources'],
  output: z.object({
    snapshots: z.array(
      snapshotShape.extend({ added: z.boolean().describe('False where it was kept already.') }),
    ),
    file: z.string().optional().describe('The file that was written.'),
    removed: z.number().describe('How many versions were deleted.'),
  }),

  async run(input, context) {
    if (input.label !== undefined && !isLabel(input.label))
      throw new AppError('usage', `"${input.label}" cannot be a label`, {
        hint: 'A label holds letters, digits, ".", "_", "+" and "-", and is no number and no date.',
      })
    if (input.lock !== undefined) return { output: await writeLock(input, input.lock, context) }
    const store = await openStore({
      environment: context.environment,
      databaseUrl: input.database,
      say: line => context.say(line),
    })
    try {
      const snapshots = storedSnapshots(store)
      if (input.export !== undefined) {
        const names = input.sources.map(source => (typeof source === 'string' ? source : source.join(' ')))
        const file = resolve(context.directory, input.export)
        const { text, count } = await exportSnapshots(snapshots, names)
        await write(file, text)
        context.say(`${count} versions in ${input.export}`)
        return { output: { snapshots: [], file, removed: 0 } }
      }
      if (input.import !== undefined) {
        const text = await read(resolve(context.directory, input.import))
        const added = await importSnapshots(snapshots, text, input.import)
        return {
          output: {
            snapshots: added.map(each => ({ ...shown(each.snapshot), added: each.added })),
            removed: 0,
          },
        }
      }
      return await take(input, snapshots, context)
    } finally {
      await store.close()
    }
  },

  print({ snapshots, file, removed }, context) {
    for (const { reference, toolCount, added, labels } of snapshots)
      context.write(
        `${[reference, `${toolCount} ${toolCount === 1 ? 'tool' : 'tools'}`, added ? 'new' : 'unchanged', ...labels].join(' · ')}\n`,
      )
    if (file !== undefined) context.write(`${file}\n`)
    if (removed > 0) context.say(`${removed} older versions were deleted.`)
  },
})

interface TakeInput {
  readonly sources: readonly (string | readonly string[])[]
  readonly label?: string | undefined
  readonly keep?: number | undefined
  readonly keepDays?: number | undefined
  readonly config?: string | undefined
}

async function take(input: TakeInput, snapshots: SnapshotStore, context: CommandContext) {
  const prepared = await openCatalog(input, context)
  const { catalog } = prepared
  try {
    const taken = []
    let removed = 0
    const asker = { environment: context.environment, signal: context.signal }
    for (const { name } of catalog.sources.list()) {
      const manifest = catalog.sources.find(name)?.manifest
      if (manifest === undefined) continue
      const answer = await snapshots.add(
        await describeSnapshot(catalog.sources, name, manifest, 'command', asker),
      )
      if (input.label !== undefined) await snapshots.setLabel(name, answer.snapshot.number, input.label)
      if (input.keep !== undefined || input.keepDays !== undefined)
        removed += await snapshots.prune(name, {
          maxCount: input.keep ?? Number.POSITIVE_INFINITY,
          ...(input.keepDays === undefined ? {} : { maxDays: input.keepDays }),
        })
      const labels = new Set([...answer.snapshot.labels, ...(input.label === undefined ? [] : [input.label])])
      taken.push({ ...shown({ ...answer.snapshot, labels: [...labels] }), added: answer.added })
    }
    const failures = openFailures(prepared)
    for (const failure of failures) printError(failure, context)
    return {
      output: { snapshots: taken, removed },
      exitCode: failures.length > 0 ? exitCodes.unreachable : exitCodes.fine,
    }
  } finally {
    await catalog.close()
  }
}

/** Throws where a source does not answer: the lock file must hold every source. */
async function writeLock(input: TakeInput, path: string, context: CommandContext) {
  const prepared = await openCatalog(input, context)
  const { catalog } = prepared
  try {
    const [failure] = openFailures(prepared)
    if (failure !== undefined) throw failure
    const asker = { environment: context.environment, signal: context.signal }
    const manifests = new Map<string, SnapshotManifest>()
    for (const { name } of catalog.sources.list()) {
      const manifest = catalog.sources.find(name)?.manifest
      if (manifest === undefined) continue
      const { manifest: hashed } = await describeSnapshot(catalog.sources, name, manifest, 'command', asker)
      manifests.set(name, hashed.manifest)
    }
    const file = resolve(context.directory, path)
    await write(file, lockText(manifests))
    return { snapshots: [], file, removed: 0 }
  } finally {
    await catalog.close()
  }
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (thrown) {
    throw new AppError('usage', `${file} could not be written: ${messageOf(thrown)}`)
  }
}

async function read(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (thrown) {
    throw new AppError('usage', `${file} could not be read: ${messageOf(thrown)}`)
  }
}
