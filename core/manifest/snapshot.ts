/** Versions of a source's manifest, as plain data that an export can write to files. */

import { withoutUndefined } from '../json/json.ts'
import { functionExtraKeys } from '../tool/function-extra.ts'
import type { Manifest, ManifestTool, Surface } from '../tool/tool.ts'

/** Why a manifest was read. */
export const snapshotCauses = [
  'opened',
  'refreshed',
  'file changed',
  'list changed',
  'settings changed',
  'command',
  'imported',
] as const
export type SnapshotCause = (typeof snapshotCauses)[number]

/** The stored part of a manifest. Its problems depend on the time and the machine, so they are not stored. */
export interface SnapshotManifest extends Surface {
  readonly tools: readonly ManifestTool[]
  readonly format: string
  readonly callingConvention?: string
  readonly instructions?: string
}

/** One stored version of a source's manifest, without its tools. */
export interface Snapshot {
  readonly source: string
  /** Counts up within the source, from 1: `acme@3`. Numbers are never reused. */
  readonly number: number
  /** When it was first seen. ISO 8601, UTC. */
  readonly time: string
  /** SHA-256 of the canonical manifest, hex: equal manifests have equal hashes. */
  readonly hash: string
  readonly toolCount: number
  readonly cause: SnapshotCause
  /** The version that the program or server states for itself. Hostile text. */
  readonly version?: string
  /** The git revision of the source's repository, 40 hex digits, followed by `+` if files were changed. */
  readonly git?: string
  /** The person of a team who read the list again; absent for the operator and for changes that a source reported. */
  readonly by?: string
  readonly labels: readonly string[]
}

/** Returns the part of a manifest that the differ and the store read. */
export function snapshotManifest(manifest: Manifest): SnapshotManifest {
  const { format, callingConvention, instructions } = manifest
  const { prompts, resources, resourceTemplates, skills, capabilities, icons } = manifest
  return {
    tools: manifest.tools.map(plainTool),
    format,
    // Absent fields add no key, so that the hash of a manifest with only tools stays the same.
    ...withoutUndefined({ callingConvention, instructions }),
    ...withoutUndefined({ prompts, resources, resourceTemplates, skills, capabilities, icons }),
  }
}

/** Returns a tool as its manifest has it, without the additions of the catalog and this machine. */
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

/** True for most tools. Not copying them saves memory. */
const isPlain = (tool: ManifestTool) => Object.keys(tool).every(key => plainKeys.has(key))

const found: ReadonlySet<string> = new Set(functionExtraKeys)

/** Removes local facts: which variables are set, and whether a tree is built. */
function withoutFound(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => !found.has(key)))
}
