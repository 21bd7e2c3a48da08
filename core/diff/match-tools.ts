/** Which tool of the old manifest is which of the new: by name, and by likeness for those that are left. */

import { jsonEquals } from '../json/equality.ts'
import { isObject, own } from '../json/json.ts'
import type { ManifestTool } from '../tool/tool.ts'
import { nameSimilarity } from './similarity.ts'

export interface Rename {
  readonly before: ManifestTool
  readonly after: ManifestTool
  /** 0 to 1. */
  readonly score: number
}

export interface ToolMatch {
  readonly pairs: readonly (readonly [ManifestTool, ManifestTool])[]
  readonly removed: readonly ManifestTool[]
  readonly added: readonly ManifestTool[]
  /** Guesses; the tools stand among the removed and the added too. */
  readonly renames: readonly Rename[]
}

/** Pairs of tools looked at for a rename: beyond, guesses would cost more than they tell. */
const maxGuessedPairs = 20_000
const minScore = 0.6

/** The second tool of a name is the second tool of that name on the other side. */
export function matchTools(before: readonly ManifestTool[], after: readonly ManifestTool[]): ToolMatch {
  const unmatched = new Map<string, ManifestTool[]>()
  for (const tool of before) {
    const queue = unmatched.get(tool.name)
    if (queue) queue.push(tool)
    else unmatched.set(tool.name, [tool])
  }
  const pairs: (readonly [ManifestTool, ManifestTool])[] = []
  const added: ManifestTool[] = []
  for (const tool of after) {
    const match = unmatched.get(tool.name)?.shift()
    if (match) pairs.push([match, tool])
    else added.push(tool)
  }
  const removed = [...unmatched.values()].flat()
  return { pairs, removed, added, renames: guessRenames(removed, added) }
}

function guessRenames(removed: readonly ManifestTool[], added: readonly ManifestTool[]): Rename[] {
  if (removed.length * added.length > maxGuessedPairs) return []
  const guesses = removed.flatMap(before =>
    added.map(after => ({ before, after, score: score(before, after) })),
  )
  const used = new Set<ManifestTool>()
  return guesses
    .toSorted((a, b) => b.score - a.score)
    .filter(({ before, after, score }) => {
      if (score < minScore || used.has(before) || used.has(after)) return false
      used.add(before).add(after)
      return true
    })
}

/** Names count two fifths, inputs two fifths, words one fifth. */
function score(before: ManifestTool, after: ManifestTool): number {
  const [left, right] = [propertyNames(before), propertyNames(after)]
  const common = left.filter(name => right.includes(name)).length
  const inputs = jsonEquals(before.inputSchema, after.inputSchema)
    ? 1
    : (0.9 * common) / Math.max(left.length, right.length, 1)
  return 0.4 * nameSimilarity(before.name, after.name) + 0.4 * inputs + 0.2 * textSimilarity(before, after)
}

function propertyNames({ inputSchema }: ManifestTool): readonly string[] {
  const properties = isObject(inputSchema) ? own(inputSchema, 'properties') : undefined
  return isObject(properties) ? Object.keys(properties).slice(0, 200) : []
}

function textSimilarity(
  { description: a = '' }: ManifestTool,
  { description: b = '' }: ManifestTool,
): number {
  if (a === b) return a === '' ? 0 : 1
  const words = new Set(a.slice(0, 2_000).toLowerCase().split(/\W+/))
  const others = new Set(b.slice(0, 2_000).toLowerCase().split(/\W+/))
  const common = [...others].filter(word => words.has(word)).length
  return common / Math.max(words.size, others.size)
}
