/** Versions of a source's manifest. All of it is plain data: an export can write it to files as it is. */

import { withoutUndefined } from '../json/json.ts'
import { functionExtraKeys } from '../tool/function-extra.ts'
import type { Manifest, ManifestTool, Surface } from '../tool/tool.ts'

/** Why a manifest was read. */
export const snapshotCauses = [
  'opened',
  'refreshed',
  'file changed',
  'list changed',
  'command',
  'imported',
] as const
export type SnapshotCause = (typeof snapshotCauses)[number]

/** What is kept of a manifest: not its problems, which are of the moment and of this machine. */
export interface SnapshotManifest extends Surface {
  readonly tools: readonly ManifestTool[]
  readonly format: string
  readonly callingConvention?: string
  readonly instructions?: string
}

/** One kept version of a source's manifest, without its tools. */
export interface Snapshot {
  readonly source: string
  /** Counts up within the source, from 1: `acme@3`. Numbers are not used again. */
  readonly number: number
  /** When it was first seen. ISO 8601, UTC. */
  readonly time: string
  /** SHA-256 of the canonical manifest, hex: equal manifests have equal hashes. */
  readonly hash: string
  readonly toolCount: number
  readonly cause: SnapshotCause
  /** What the program or server says of its own version. Hostile text. */
  readonly version?: string
  /** Revision of the git repository that the source lies in, 40 hex digits, with `+` after it where files differed. */
  readonly git?: string
  readonly labels: readonly string[]
}

/** What the differ and the store read of a manifest. */
export function snapshotManifest(manifest: Manifest): SnapshotManifest {
  const { format, callingConvention, instructions } = manifest
  const { prompts, resources, resourceTemplates, capabilities, icons } = manifest
  return {
    tools: manifest.tools.map(plainTool),
    format,
    // What is absent adds no key: the hash of a manifest of tools alone stays what it was.
    ...withoutUndefined({ callingConvention, instructions }),
    ...withoutUndefined({ prompts, resources, resourceTemplates, capabilities, icons }),
  }
}

/** A tool as its manifest has it, without what the catalog and this machine add to it. */
export function plainTool(tool: ManifestTool): ManifestTool {
  if (isPlain(tool)) return tool
  const { name, title, description, inputSchema, outputSchema, annotations, extra } = tool
  const own = extra && withoutFound(extra)
  return {
    name,
    ...withoutUndefined({ title, description }),
    inputSchema,
    ...withoutUndefined({ outputSchema, annotations }),
    ...(own === undefined || Object.keys(own).length === 0 ? {} : { extra: own }),
  }
}

const plainKeys: ReadonlySet<string> = new Set([
  'name',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
])

/** Most tools: a copy of each would be another catalog in memory. */
const isPlain = (tool: ManifestTool) => Object.keys(tool).every(key => plainKeys.has(key))

const found: ReadonlySet<string> = new Set(functionExtraKeys)

/** Whether a variable is set or a tree is built is no property of the manifest. */
function withoutFound(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => !found.has(key)))
}
