/** Kept versions as one JSON file, to take along or to commit. Each tool stands in it once, by its hash. */
import { z } from 'zod'
import { AppError } from '../errors.ts'
import type { ManifestTool } from '../tool/tool.ts'
import { lockedTool, manifestFields } from './lock-file.ts'
import type { Snapshot, SnapshotManifest } from './snapshot.ts'

const snapshotFile = z.strictObject({
  snapshotsVersion: z.literal(1),
  tools: z.record(z.string(), lockedTool),
  snapshots: z.array(
    z.strictObject({
      ...manifestFields,
      source: z.string().min(1).max(200),
      number: z.int().min(1),
      time: z.iso.datetime(),
      hash: z.string(),
      version: z.string().optional(),
      git: z.string().optional(),
      labels: z.array(z.string()),
      tools: z.array(z.string()),
    }),
  ),
})

export interface SnapshotInFile
  extends Pick<Snapshot, 'source' | 'number' | 'time' | 'hash' | 'version' | 'git' | 'labels'> {
  readonly manifest: SnapshotManifest
  /** One hash a tool, in the order of the manifest. */
  readonly toolHashes: readonly string[]
}

/** Oldest first. */
export function snapshotFileText(snapshots: readonly SnapshotInFile[]): string {
  const tools: Record<string, ManifestTool> = {}
  for (const { manifest, toolHashes } of snapshots)
    for (const [at, hash] of toolHashes.entries()) {
      const tool = manifest.tools[at]
      if (tool !== undefined) tools[hash] ??= tool
    }
  const entries = Object.entries(tools).sort(([a], [b]) => (a < b ? -1 : 1))
  const rows = snapshots.map(({ manifest, toolHashes, source, number, time, hash, version, git, labels }) => {
    const { tools: _, ...facts } = manifest
    return { source, number, time, hash, version, git, labels, ...facts, tools: toolHashes }
  })
  const file = { snapshotsVersion: 1, snapshots: rows, tools: Object.fromEntries(entries) }
  return `${JSON.stringify(file, null, 1)}\n`
}

/** Throws AppError `manifest-not-json` or `manifest-unrecognised`; a tool that is named and missing is the second. */
export function parseSnapshotFile(text: string, label: string): readonly SnapshotInFile[] {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (thrown) {
    throw new AppError(
      'manifest-not-json',
      `${label}: ${thrown instanceof Error ? thrown.message : thrown}`,
      {
        hint: 'A file of snapshots is written by: toolscope snapshot --export FILE',
      },
    )
  }
  const refuse = (where: string, message: string): never => {
    throw new AppError('manifest-unrecognised', `${label}: ${where}: ${message}`, {
      hint: 'A file of snapshots is written by: toolscope snapshot --export FILE',
    })
  }
  const parsed = snapshotFile.safeParse(value)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    return refuse(issue?.path.join('.') || 'the file', issue?.message ?? 'is no file of snapshots')
  }
  const { snapshots, tools } = parsed.data
  return snapshots.map(({ source, number, time, hash, version, git, labels, tools: hashes, ...facts }) => {
    const list = hashes.map(
      each => tools[each] ?? refuse(`${source}@${number}`, `the tool ${each} is missing`),
    )
    return {
      source,
      number,
      time,
      hash,
      labels,
      ...(version === undefined ? {} : { version }),
      ...(git === undefined ? {} : { git }),
      // Their shape was checked above; what is undefined was not in the file.
      manifest: { ...facts, tools: list as unknown as readonly ManifestTool[] } as SnapshotManifest,
      toolHashes: hashes,
    }
  })
}
