/**
 * Reads a tree while a build may be writing it: `argc build` deletes a list, writes it, and adds the tools of MCP
 * servers last.
 */
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { canonicalJson } from '../../core/json/equality.ts'
import { isDirectory } from '../process/command-line.ts'
import type { FunctionsTree } from './read-tree.ts'

/** Milliseconds that a tool must be missing before it counts as removed. */
const awayMs = 2_000
const maxLooks = 5

export interface SettledTree {
  readonly tree: FunctionsTree
  /** Lists that existed before and are missing now, although their folders still exist. */
  readonly missing: readonly string[]
}

/**
 * Reads a tree, again and again while tools are missing and it still changes. Rejects when the signal is aborted.
 *
 * @param before the result of the previous reading
 */
export async function readSettled(
  root: string,
  read: () => FunctionsTree,
  before: FunctionsTree | undefined,
  signal: AbortSignal,
): Promise<SettledTree> {
  let tree = read()
  for (let look = 0; look < maxLooks; look++) {
    const missing = missingLists(root, before, tree)
    if (before === undefined || missing.length > 0 || !lacksTools(before, tree)) return { tree, missing }
    await setTimeout(awayMs, undefined, { signal, ref: false })
    const next = read()
    const rests = toManifestText(next) === toManifestText(tree)
    tree = next
    if (rests) break
  }
  return { tree, missing: missingLists(root, before, tree) }
}

function missingLists(root: string, before: FunctionsTree | undefined, now: FunctionsTree): string[] {
  const isBroken = (path: string) => now.manifest.incomplete?.includes(`${path}: `) === true
  return (before?.lists ?? []).filter(
    path => !now.lists.includes(path) && !isBroken(path) && isDirectory(dirname(join(root, path))),
  )
}

function lacksTools({ targets }: FunctionsTree, now: FunctionsTree): boolean {
  return now.manifest.incomplete === undefined && [...targets.keys()].some(name => !now.targets.has(name))
}

const toManifestText = ({ manifest }: FunctionsTree) => canonicalJson(manifest)
