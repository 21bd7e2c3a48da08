/**
 * The data of an export: what `toolscope export` writes and its page reads. Each part is a script of one line,
 * `(globalThis.toolscopeData??={})["catalog"]="…JSON…"`, because a page opened from a folder (file://) may load scripts
 * and nothing else. The JSON stands in a string: as an object literal, a member called `__proto__` would be lost.
 */

import { firstIndex } from '../first-index.ts'
import type { ChangelogEntry } from '../report/changelog.ts'
import type { SurfaceKind, ToolAnnotations } from '../tool/tool.ts'
import type { ToolDetail } from './catalog.ts'
import type { SourceState } from './sources.ts'
import type { VersionKind } from './versions.ts'

/** A tool, prompt, resource or template as the list and the search need it. */
export interface SiteTool {
  readonly ref: string
  readonly source: string
  readonly name: string
  /** Absent for a tool. */
  readonly kind?: SurfaceKind
  readonly uri?: string
  readonly title?: string
  /** Cut where it is very long; the whole of it comes with the tool's detail. */
  readonly description?: string
  readonly annotations?: ToolAnnotations
  readonly callable: boolean
  readonly hasOutputSchema: boolean
  /** Names of its input's fields, for the search. */
  readonly fields: readonly string[]
}

/** The first part, loaded with the page. */
export interface SiteCatalog {
  /** Of the program that wrote it. */
  readonly version: string
  /** Folder of the other parts, relative to the page. */
  readonly folder: string
  readonly sources: readonly SourceState[]
  /** In the order of the catalog. */
  readonly tools: readonly SiteTool[]
  /** Position of the first tool of each chunk of details. */
  readonly chunkStarts: readonly number[]
  /** Whether there is more than one manifest to compare. */
  readonly comparable: boolean
  /** The sources whose changelogs are exported, each in a part of its own; absent when none was asked for. */
  readonly changelogs?: readonly string[]
}

/** Name of the part with the details of a chunk's tools, a ToolDetail each. */
export function chunkName(chunk: number): string {
  return `tools-${chunk}`
}

export type SiteChunk = readonly ToolDetail[]

/** Name of the part with the changelog of a source, by its position in `changelogs`. */
export function changelogName(position: number): string {
  return `changelog-${position}`
}

/** The changelog of one source. */
export interface SiteChangelog {
  /** Only kinds that the source has versions of. */
  readonly kinds: readonly { readonly kind: VersionKind; readonly entries: readonly ChangelogEntry[] }[]
  /** Of the first kind; relative to the page. */
  readonly feed: string
}

/** Which chunk holds the tool at a position. */
export function chunkOf(chunkStarts: readonly number[], position: number): number {
  return Math.max(0, firstIndex(chunkStarts.length, at => (chunkStarts[at] ?? 0) > position) - 1)
}

/** The script of a part. */
export function partScript(name: string, json: string): string {
  return `(globalThis.toolscopeData??={})[${JSON.stringify(name)}]=${JSON.stringify(json)}\n`
}
