/** Matches the tools of two manifests: by name, then the remaining ones by similarity. */

import { groupBy } from '../lists.ts'
import type { ManifestTool } from '../tool/tool.ts'
import { Likeness } from './similarity.ts'

export interface ToolMatch {
  /** Before and after, including renamed tools. */
  readonly pairs: readonly (readonly [ManifestTool, ManifestTool])[]
  readonly removed: readonly ManifestTool[]
  readonly added: readonly ManifestTool[]
  /** The guessed pairs with different names. Pairs that one rule explains (`-` → `_`) form one rename. */
  readonly renames: readonly Rename[]
}

export interface Rename {
  readonly pairs: readonly (readonly [ManifestTool, ManifestTool])[]
  /** The rule behind several pairs: `“-” → “_”`, `prefix “firecrawl_” → “fc_”`. */
  readonly rule?: string
  /** 0 to 1: the similarity of the least similar pair. */
  readonly score: number
}

interface Guess {
  readonly before: ManifestTool
  readonly after: ManifestTool
  readonly score: number
}

/** Maximum number of pairs that are compared to guess renames: more pairs would take too long. */
const maxGuessedPairs = 20_000
/** A pair below this score is a removed and an added tool. Measured on labelled histories: `npm run bench -- diff`. */
const minScore = 0.3
/** Below this score, a guess is dropped if its second-best match scores almost as high (`maxRivalShare`). */
const minSureScore = 0.6
const maxRivalShare = 0.75

/** The second tool of a name matches the second tool of that name on the other side. */
export function matchTools(
  toolsBefore: readonly ManifestTool[],
  toolsAfter: readonly ManifestTool[],
): ToolMatch {
  const [before, after] = [eachItsOwn(toolsBefore), eachItsOwn(toolsAfter)]
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

/** Tools are compared by identity below, so the second occurrence of an object in a list is copied. */
function eachItsOwn(tools: readonly ManifestTool[]): readonly ManifestTool[] {
  const seen = new Set<ManifestTool>()
  return tools.map(tool => {
    const own = seen.has(tool) ? { ...tool } : tool
    seen.add(own)
    return own
  })
}

/**
 * Guesses names with the same letters first, without a maximum, then the most similar tools. Each tool is in at most
 * one guess.
 */
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
  const groups = groupBy(guesses, guess => describeNameEdit(guess.before.name, guess.after.name) ?? guess)
  return [...groups].map(([rule, members]) => ({
    pairs: members.map(({ before, after }) => [before, after] as const),
    score: Math.min(...members.map(member => member.score)),
    ...(typeof rule === 'string' && members.length > 1 ? { rule } : {}),
  }))
}

/** Returns the edit of a name that may apply to many names: other separators, another prefix. */
function describeNameEdit(before: string, after: string): string | undefined {
  const [marksBefore, marksAfter] = [separators(before), separators(after)]
  if (letters(before) === letters(after) && marksBefore.size === 1 && marksAfter.size === 1)
    return `“${[...marksBefore].join('')}” → “${[...marksAfter].join('')}”`
  let same = 0
  while (same < Math.min(before.length, after.length) && before.at(-1 - same) === after.at(-1 - same)) same++
  // A separator that both names have belongs to the prefix.
  same -= /^[^\p{L}\p{N}]*/u.exec(before.slice(before.length - same))?.[0].length ?? 0
  const [prefixBefore, prefixAfter] = [
    before.slice(0, before.length - same),
    after.slice(0, after.length - same),
  ]
  // Two words may end alike by chance, so only an empty prefix or one that ends with a separator makes a rule.
  if (![prefixBefore, prefixAfter].every(prefix => prefix === '' || /[^\p{L}\p{N}]$/u.test(prefix)))
    return undefined
  if (prefixBefore === '') return `prefix “${prefixAfter}” added`
  return prefixAfter === ''
    ? `prefix “${prefixBefore}” removed`
    : `prefix “${prefixBefore}” → “${prefixAfter}”`
}

const separators = (name: string) => new Set(name.match(/[^\p{L}\p{N}]+/gu))
const letters = (name: string) => name.replaceAll(/[^\p{L}\p{N}]/gu, '')
