/** Which tool of the old manifest is which of the new: by name, and by likeness for those that are left. */

import { groupBy } from '../group-by.ts'
import type { ManifestTool } from '../tool/tool.ts'
import { Likeness } from './similarity.ts'

export interface ToolMatch {
  /** Before and after; a renamed tool is one of them. */
  readonly pairs: readonly (readonly [ManifestTool, ManifestTool])[]
  readonly removed: readonly ManifestTool[]
  readonly added: readonly ManifestTool[]
  /** The pairs whose names differ: guesses. Those that one rule explains (`-` → `_`) are together. */
  readonly renames: readonly Rename[]
}

export interface Rename {
  readonly pairs: readonly (readonly [ManifestTool, ManifestTool])[]
  /** What explains several: `“-” → “_”`, `prefix “firecrawl_” → “fc_”`. */
  readonly rule?: string
  /** 0 to 1: how alike the least alike pair is. */
  readonly score: number
}

interface Guess {
  readonly before: ManifestTool
  readonly after: ManifestTool
  readonly score: number
}

/** Pairs of tools looked at for a rename: beyond, guesses would cost more than they tell. */
const maxGuessedPairs = 20_000
/** Below, a pair is a removed and an added tool. Measured on labelled histories: `npm run bench -- diff`. */
const minScore = 0.3
/** A tool that is nearly as like another one is a guess too many: below this score the second best must be far behind. */
const minSureScore = 0.6
const maxRivalShare = 0.75

/** The second tool of a name is the second tool of that name on the other side. */
export function matchTools(old: readonly ManifestTool[], next: readonly ManifestTool[]): ToolMatch {
  const [before, after] = [eachItsOwn(old), eachItsOwn(next)]
  const unmatched = groupBy(before, tool => tool.name)
  const pairs: (readonly [ManifestTool, ManifestTool])[] = []
  const added: ManifestTool[] = []
  for (const tool of after) {
    const match = unmatched.get(tool.name)?.shift()
    if (match) pairs.push([match, tool])
    else added.push(tool)
  }
  const removed = [...unmatched.values()].flat()
  if (removed.length === 0 || added.length === 0) return { pairs, removed, added, renames: [] }
  const guesses = guessRenames(removed, added, new Likeness([...before, ...after]))
  const renamed = new Set(guesses.flatMap(guess => [guess.before, guess.after]))
  return {
    pairs: [...pairs, ...guesses.map(guess => [guess.before, guess.after] as const)],
    removed: removed.filter(tool => !renamed.has(tool)),
    added: added.filter(tool => !renamed.has(tool)),
    renames: groupRenames(guesses),
  }
}

/** Tools are told apart as objects below, and a list may hold one object twice: the second is a copy. */
function eachItsOwn(tools: readonly ManifestTool[]): readonly ManifestTool[] {
  const seen = new Set<ManifestTool>()
  return tools.map(tool => {
    const own = seen.has(tool) ? { ...tool } : tool
    seen.add(own)
    return own
  })
}

/** Names of the same letters first, however many; then the most alike. Each tool is in one guess at most. */
function guessRenames(
  removed: readonly ManifestTool[],
  added: readonly ManifestTool[],
  likeness: Likeness,
): Guess[] {
  const guess = (before: ManifestTool, after: ManifestTool) => ({
    before,
    after,
    score: likeness.of(before, after),
  })
  const byLetters = groupBy(added, tool => letters(tool.name).toLowerCase())
  const sure = [...groupBy(removed, tool => letters(tool.name).toLowerCase())].flatMap(([word, olds]) => {
    const [[before, ...others], [after, ...rivals]] = [olds, byLetters.get(word) ?? []]
    return before && after && others.length + rivals.length === 0 ? [guess(before, after)] : []
  })
  const used = new Set(sure.flatMap(({ before, after }) => [before, after]))
  const isFree = (tool: ManifestTool) => !used.has(tool)
  const [olds, news] = [removed.filter(isFree), added.filter(isFree)]
  if (olds.length * news.length > maxGuessedPairs) return sure
  const guesses = olds
    .flatMap(before => news.map(after => guess(before, after)))
    .filter(({ score }) => score >= minScore * maxRivalShare)
    .toSorted((a, b) => b.score - a.score)
  const of = { before: groupBy(guesses, each => each.before), after: groupBy(guesses, each => each.after) }
  return [
    ...sure,
    ...guesses.filter(each => {
      const { before, after, score } = each
      if (score < minScore || !isFree(before) || !isFree(after)) return false
      const rivals = [
        of.before.get(before)?.find(other => other !== each && isFree(other.after)),
        of.after.get(after)?.find(other => other !== each && isFree(other.before)),
      ]
      const isClose = rivals.some(rival => rival !== undefined && rival.score > score * maxRivalShare)
      if (score < minSureScore && isClose) return false
      used.add(before).add(after)
      return true
    }),
  ]
}

function groupRenames(guesses: readonly Guess[]): Rename[] {
  const groups = groupBy(guesses, guess => ruleOf(guess.before.name, guess.after.name) ?? guess)
  return [...groups].map(([rule, members]) => ({
    pairs: members.map(({ before, after }) => [before, after] as const),
    score: Math.min(...members.map(member => member.score)),
    ...(typeof rule === 'string' && members.length > 1 ? { rule } : {}),
  }))
}

/** What was done to a name that may have been done to many: other separators, another prefix. */
function ruleOf(before: string, after: string): string | undefined {
  const [oldMarks, newMarks] = [separators(before), separators(after)]
  if (letters(before) === letters(after) && oldMarks.size === 1 && newMarks.size === 1)
    return `“${[...oldMarks].join('')}” → “${[...newMarks].join('')}”`
  let same = 0
  while (same < Math.min(before.length, after.length) && before.at(-1 - same) === after.at(-1 - same)) same++
  // A separator that both have belongs to the prefix.
  same -= /^[^\p{L}\p{N}]*/u.exec(before.slice(before.length - same))?.[0].length ?? 0
  const [oldPrefix, newPrefix] = [before.slice(0, before.length - same), after.slice(0, after.length - same)]
  // Two words may end alike by chance: only a prefix that ends with a separator, or an empty one, makes a rule.
  if (![oldPrefix, newPrefix].every(prefix => prefix === '' || /[^\p{L}\p{N}]$/u.test(prefix)))
    return undefined
  if (oldPrefix === '') return `prefix “${newPrefix}” added`
  return newPrefix === '' ? `prefix “${oldPrefix}” removed` : `prefix “${oldPrefix}” → “${newPrefix}”`
}

const separators = (name: string) => new Set(name.match(/[^\p{L}\p{N}]+/gu))
const letters = (name: string) => name.replaceAll(/[^\p{L}\p{N}]/gu, '')
