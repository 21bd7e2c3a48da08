/** Versions of a source's manifest. All of it is plain data: an export can write it to files as it is. */
import { z } from 'zod'
import { functionExtraKeys } from '../agent/function-extra.ts'
import type { Severity } from '../diff/change.ts'
import type { Manifest, ManifestTool } from '../tool/tool.ts'

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
export interface SnapshotManifest {
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

export type SeverityCounts = Readonly<Record<Severity, number>>

/** A version in a timeline. */
export interface Version {
  /** What /diff takes for a side: `acme@3`, `git:1f3a…:tools.json`. */
  readonly reference: string
  /** For people: `acme@3`, `1f3a2b4c`. */
  readonly name: string
  readonly time: string
  readonly kind: 'snapshot' | 'git'
  /** Of a snapshot. */
  readonly number?: number
  /** It is what the open source lists now. */
  readonly current?: true
  readonly cause?: SnapshotCause
  readonly version?: string
  readonly git?: string
  readonly labels: readonly string[]
  /** The first line of a commit's message. Hostile text. */
  readonly subject?: string
  readonly toolCount?: number
  /** Against the version before it; absent for the first one, and where it was not compared. */
  readonly counts?: SeverityCounts
  /** For a tool's timeline: what this version did to it. */
  readonly touch?: 'added' | 'changed' | 'removed'
}

/** Query of the routes that list versions: how many of each kind. */
export const versionsQuery = z.object({ limit: z.coerce.number().int().min(1).max(500).default(30) })

/** Newest first. */
export interface VersionList {
  readonly versions: readonly Version[]
  /** Whether there are older ones than those listed. */
  readonly more: boolean
  /** Whether labels can be set here: the list comes from a store, not from this run alone. */
  readonly kept: boolean
}

/** Said to the page after a change of a source's manifest. */
export interface SourceChanged {
  readonly source: string
  readonly cause: SnapshotCause
  /** References of the two sides. */
  readonly from: string
  readonly to: string
  readonly counts: SeverityCounts
  readonly toolCount: number
}

/** What the differ and the store read of a manifest. */
export function snapshotManifest(manifest: Manifest): SnapshotManifest {
  const { format, callingConvention, instructions } = manifest
  return {
    tools: manifest.tools.map(plainTool),
    format,
    ...(callingConvention === undefined ? {} : { callingConvention }),
    ...(instructions === undefined ? {} : { instructions }),
  }
}

/** A tool as its manifest has it, without what the catalog and this machine add to it. */
export function plainTool(tool: ManifestTool): ManifestTool {
  const { name, title, description, inputSchema, outputSchema, annotations, extra } = tool
  const own = extra && withoutFound(extra)
  return {
    name,
    ...(title === undefined ? {} : { title }),
    ...(description === undefined ? {} : { description }),
    inputSchema,
    ...(outputSchema === undefined ? {} : { outputSchema }),
    ...(annotations === undefined ? {} : { annotations }),
    ...(own === undefined || Object.keys(own).length === 0 ? {} : { extra: own }),
  }
}

const found: ReadonlySet<string> = new Set(functionExtraKeys)

/** Whether a variable is set or a tree is built is no property of the manifest. */
function withoutFound(extra: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(extra).filter(([key]) => !found.has(key)))
}
