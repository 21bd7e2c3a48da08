/**
 * The data that `toolscope export` writes and the exported page reads. Each part is a script of one line,
 * `(globalThis.toolscopeData??={})["catalog"]="…JSON…"`, because a page opened from a folder (file://) may load only
 * scripts. The JSON is in a string, because an object literal would lose a member called `__proto__`.
 */

import type { ScoreList } from '../checks/generated-checks.ts'
import { firstIndex } from '../lists.ts'
import type { ChangelogEntry } from '../report/changelog.ts'
import type { SurfaceKind, ToolAnnotations } from '../tool/tool.ts'
import type { ToolDetail } from './catalog.ts'
import type { SourceState } from './sources.ts'
import type { VersionKind } from './versions.ts'

/** The fields of a tool, prompt, resource or template that the list and the search need. */
export interface SiteTool {
  readonly ref: string
  readonly source: string
  readonly name: string
  /** Absent for a tool. */
  readonly kind?: SurfaceKind
  readonly uri?: string
  readonly title?: string
  /** Cut if it is very long; the tool's detail contains all of it. */
  readonly description?: string
  readonly annotations?: ToolAnnotations
  readonly callable: boolean
  readonly hasOutputSchema: boolean
  /** Names of its input's fields, for the search. */
  readonly fields: readonly string[]
  /** The number of its portability warnings; absent if it has none. */
  readonly warnings?: number
}

/** The first part, loaded with the page. */
export interface SiteCatalog {
  /** The version of Toolscope that wrote the export. */
  readonly version: string
  /** Folder of the other parts, relative to the page. */
  readonly folder: string
  readonly sources: readonly SourceState[]
  /** In the order of the catalog. */
  readonly tools: readonly SiteTool[]
  /** Position of the first tool of each chunk of details. */
  readonly chunkStarts: readonly number[]
  /** Whether there are at least two manifests to compare. */
  readonly comparable: boolean
  /** The scores of generated checks; absent if no tool has one. */
  readonly scores?: ScoreList
  /** The sources with an exported changelog, each in a part of its own; absent if the export has no changelogs. */
  readonly changelogs?: readonly string[]
}

/** Returns the name of the part with the details of a chunk's tools. Each is a ToolDetail. */
export function chunkName(chunk: number): string {
  return `tools-${chunk}`
}

export type SiteChunk = readonly ToolDetail[]

/** Returns the name of the part with the changelog of a source, by its position in `changelogs`. */
export function changelogName(position: number): string {
  return `changelog-${position}`
}

/** The changelog of one source. */
export interface SiteChangelog {
  /** Only kinds of which the source has versions. */
  readonly kinds: readonly { readonly kind: VersionKind; readonly entries: readonly ChangelogEntry[] }[]
  /** The path of the feed for the first kind, relative to the page. */
  readonly feed: string
}

/** Returns the chunk that contains the tool at a position. */
export function findChunk(chunkStarts: readonly number[], position: number): number {
  return Math.max(0, firstIndex(chunkStarts.length, at => (chunkStarts[at] ?? 0) > position) - 1)
}

/** Returns the script of a part. */
export function partScript(name: string, json: string): string {
  return `(globalThis.toolscopeData??={})[${JSON.stringify(name)}]=${JSON.stringify(json)}\n`
}
