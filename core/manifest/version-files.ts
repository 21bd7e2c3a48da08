/** The lock file: the manifests of some sources in one JSON file, with the same bytes for the same manifests. */
import { z } from 'zod'
import { AppError } from '../errors.ts'
import { canonicalJson } from '../json/equality.ts'
import { isObject, type UnknownObject, withoutUndefined } from '../json/json.ts'
import { describeJsonMistake } from '../json/json-mistake.ts'
import { isSchema } from '../schema/schema.ts'
import type { JsonSchema, ManifestTool } from '../tool/tool.ts'
import type { Snapshot, SnapshotManifest } from './snapshot.ts'

const currentLockVersion = 1
export const lockName = 'toolscope.lock.json'

const schema = z.custom<JsonSchema>(isSchema, 'must be a JSON Schema: an object, true or false')

const lockedTool = z.looseObject({
  name: z.string(),
  title: z.string().optional(),
  description: z.string().optional(),
  inputSchema: schema,
  outputSchema: schema.optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
  extra: z.record(z.string(), z.unknown()).optional(),
})

const lockedSkill = z.looseObject({
  uri: z.string(),
  name: z.string(),
  files: z.union([
    z.literal('dynamic'),
    z.array(z.looseObject({ uri: z.string(), digest: z.string(), size: z.number() })),
  ]),
  text: z.string().optional(),
})

const manifestFields = {
  format: z.string(),
  callingConvention: z.string().optional(),
  instructions: z.string().optional(),
  prompts: z.array(z.looseObject({ name: z.string() })).optional(),
  resources: z.array(z.looseObject({ uri: z.string(), name: z.string() })).optional(),
  resourceTemplates: z.array(z.looseObject({ uriTemplate: z.string(), name: z.string() })).optional(),
  skills: z.array(lockedSkill).optional(),
  capabilities: z.record(z.string(), z.unknown()).optional(),
  icons: z.array(z.looseObject({ src: z.string() })).optional(),
}

const lockedSource = z.strictObject({ ...manifestFields, tools: z.array(lockedTool) })

// z.record would drop a source with the name `__proto__`.
const lockFile = z.strictObject({
  lockVersion: z.literal(currentLockVersion),
  /** The approved items (core/pin). A comparison does not need them. */
  pins: z.unknown().optional(),
  sources: z.custom<UnknownObject>(isObject, 'must be an object').transform((sources, context) =>
    Object.entries(sources).map(([name, source]) => {
      const parsed = lockedSource.safeParse(source)
      if (parsed.success) return [name, parsed.data] as const
      for (const issue of parsed.error.issues)
        context.addIssue({ code: 'custom', message: issue.message, path: [name, ...issue.path] })
      return z.NEVER
    }),
  ),
})

/**
 * Returns the text of a lock file: sorted keys at every level, tools and prompts sorted by name, resources by URI, an
 * indentation of two spaces, and a newline at the end. It contains exactly what a comparison reads, so a diff of the
 * file shows the changes of the tools.
 */
export function lockText(sources: ReadonlyMap<string, SnapshotManifest>): string {
  const file = { lockVersion: currentLockVersion, sources: lockSources(sources) }
  return `${JSON.stringify(JSON.parse(canonicalJson(file)), null, 2)}\n`
}

/** Returns the member `sources` of a lock file, its lists sorted. */
export function lockSources(sources: ReadonlyMap<string, SnapshotManifest>): UnknownObject {
  const entries = [...sources]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, manifest]) => {
      const { tools, prompts, resources, resourceTemplates, skills } = manifest
      const sorted = {
        tools: sortedBy(tools, 'name'),
        prompts: prompts && sortedBy(prompts, 'name'),
        resources: resources && sortedBy(resources, 'uri'),
        resourceTemplates: resourceTemplates && sortedBy(resourceTemplates, 'uriTemplate'),
        skills: skills && sortedBy(skills, 'uri'),
      }
      return [name, { ...manifest, ...withoutUndefined(sorted) }] as const
    })
  return Object.fromEntries(entries)
}

const sortedBy = <Key extends string, Entry extends Readonly<Record<Key, string>>>(
  entries: readonly Entry[],
  key: Key,
) => entries.toSorted((a, b) => (a[key] < b[key] ? -1 : a[key] > b[key] ? 1 : 0))

/**
 * Throws AppError `manifest-not-json` or `manifest-unrecognised`.
 *
 * @param label name of the file in an error
 */
export function parseLock(text: string, label: string): ReadonlyMap<string, SnapshotManifest> {
  const command = `toolscope snapshot --lock ${label}`
  const { sources } = parseFile(lockFile, text, label, {
    notJson: `Write it again: ${command}`,
    unrecognised: `A lock file is written by: ${command}`,
  })
  return new Map(
    sources.map(([name, { tools, ...facts }]) => [
      name,
      // The shape was checked above; an undefined member was not in the file.
      { ...facts, tools: tools as unknown as readonly ManifestTool[] } as SnapshotManifest,
    ]),
  )
}

/** Returns a manifest as a version stores it; undefined if the value has another shape. */
export function readStoredManifest(value: unknown): SnapshotManifest | undefined {
  const parsed = lockedSource.safeParse(value)
  // The shape was checked; an undefined member was not in the value.
  return parsed.success ? (parsed.data as unknown as SnapshotManifest) : undefined
}

/** Throws AppError `manifest-not-json`, or `manifest-unrecognised` with the first location that does not match. */
function parseFile<Schema extends z.ZodType>(
  schema: Schema,
  text: string,
  label: string,
  hints: { readonly notJson: string; readonly unrecognised: string },
): z.output<Schema> {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    const why = describeJsonMistake(text, label)
    const detail = why.startsWith(`${label} `) ? why : `${label}: ${why}`
    throw new AppError('manifest-not-json', detail, { hint: hints.notJson, cause })
  }
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const location = issue?.path.join('.') || 'the file'
  throw new AppError('manifest-unrecognised', `${label}: ${location}: ${issue?.message}`, {
    hint: hints.unrecognised,
  })
}

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
  /** One hash per tool, in the order of the manifest. */
  readonly toolHashes: readonly string[]
}

/** @param snapshots oldest first */
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

/** Throws AppError `manifest-not-json`, or `manifest-unrecognised`, also if a listed tool is missing. */
export function parseSnapshotFile(text: string, label: string): readonly SnapshotInFile[] {
  const hint = 'To write such a file: toolscope snapshot --export FILE'
  const hints = { notJson: hint, unrecognised: hint }
  const { snapshots, tools } = parseFile(snapshotFile, text, label, hints)
  const missing = (where: string): never => {
    throw new AppError('manifest-unrecognised', `${label}: ${where}`, { hint })
  }
  return snapshots.map(({ source, number, time, hash, version, git, labels, tools: hashes, ...facts }) => {
    const list = hashes.map(
      each => tools[each] ?? missing(`${source}@${number}: the tool ${each} is missing`),
    )
    return {
      source,
      number,
      time,
      hash,
      labels,
      ...withoutUndefined({ version, git }),
      // The shape was checked above; an undefined member was not in the file.
      manifest: { ...facts, tools: list as unknown as readonly ManifestTool[] } as SnapshotManifest,
      toolHashes: hashes,
    }
  })
}
