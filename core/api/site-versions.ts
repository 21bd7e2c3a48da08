/**
 * The versions of an export. The text of a tool is written once for all versions that contain it, and a comparison
 * loads only the differences. They are loaded when the user opens versions, not with the page.
 */

import type { TeamRules } from '../diff/team-rules.ts'
import { plainTool, type SnapshotManifest } from '../manifest/snapshot.ts'
import type { ManifestTool } from '../tool/tool.ts'
import { chunked, cleanExtra, type SitePart } from './site-parts.ts'
import type { Version } from './versions.ts'

/** The name of the part that lists the versions. */
export const versionsName = 'versions'

/** Returns the name of the part with the tools of a chunk of the pool. */
export function poolName(chunk: number): string {
  return `pool-${chunk}`
}

export interface SiteVersion {
  readonly version: Version
  /** Positions in the pool, in the order of the manifest. */
  readonly tools: readonly number[]
  readonly instructions?: string
}

export interface SiteVersions {
  /** Newest first. */
  readonly sources: readonly { readonly source: string; readonly versions: readonly SiteVersion[] }[]
  /** The name of each tool of the pool. */
  readonly names: readonly string[]
  /** Position of the first tool of each chunk of the pool. */
  readonly chunkStarts: readonly number[]
  /** The rules of the versions' counts and of every comparison. */
  readonly rules: TeamRules
}

export interface ReadVersion {
  readonly version: Version
  readonly manifest: SnapshotManifest
}

/** @param sources newest first */
export function versionParts(
  sources: readonly { readonly source: string; readonly versions: readonly ReadVersion[] }[],
  rules: TeamRules,
): readonly SitePart[] {
  const pool = new Map<string, number>()
  const names: string[] = []
  const addToPool = (tool: ManifestTool): number => {
    const json = JSON.stringify(cleanManifestTool(tool))
    const known = pool.get(json)
    if (known !== undefined) return known
    pool.set(json, names.length)
    names.push(tool.name)
    return names.length - 1
  }
  const listed = sources.map(({ source, versions }) => ({
    source,
    versions: versions.map(({ version, manifest }): SiteVersion => {
      const tools = manifest.tools.map(addToPool)
      const { instructions } = manifest
      return { version, tools, ...(instructions === undefined ? {} : { instructions }) }
    }),
  }))
  const { parts, chunkStarts } = chunked([...pool.keys()], poolName)
  const list: SiteVersions = { sources: listed, names, chunkStarts, rules }
  return [...parts, { name: versionsName, json: JSON.stringify(list) }]
}

/** Returns the fields of a tool that an export may contain. */
export function cleanManifestTool(tool: ManifestTool): ManifestTool {
  const { extra: _, ...plain } = plainTool(tool)
  const extra = cleanExtra(tool.extra)
  return extra === undefined ? plain : { ...plain, extra }
}
