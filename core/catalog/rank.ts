import { nameFit } from './name-fit.ts'
import type { Request } from './query.ts'
import { isInName, maxWeight, toolOf, type WordIndex, weightOf } from './word-index.ts'

/** What a search found. */
export interface Ranking {
  /** Positions in the catalog, best match first. */
  readonly order: readonly number[]
  /** How many of them hold every word; 0 where they are only the best there is. */
  readonly complete: number
}

/** A tool that lacks a word is shown down to this share of the best score. */
const minShareOfBest = 0.5
/** Of the tools that lack a word, so many are shown. */
const maxPartial = 50
/** Scores are told apart to this part of a point; with the tool's number they fit in the 53 bits of a number. */
const scoreSteps = 2 ** 19
/** More points than sixteen words of a request can be worth. */
const pointsOfFit = 200
const maxTools = 2 ** 24

/** A tool with all words is worth this much more than its parts. */
const completeness = 0.5

/**
 * The tools in scope: the one with this name, those whose names begin with it, then by what they say about the words. Those
 * that lack a word are left out where a name holds all words. To have only a synonym of a single word is to lack it, where
 * a tool has the word itself.
 */
export function rank(
  index: WordIndex,
  names: readonly string[],
  isInScope: (at: number) => boolean,
  { terms, joined, isWordOpen }: Request,
  isEveryWordNeeded: boolean,
): Ranking {
  const size = names.length
  const scores = new Float32Array(size)
  const held = new Uint8Array(size)
  const best = new Float32Array(size)
  /** Words of the request that stand in the tool's name as they were typed. */
  const named = new Uint8Array(size)
  /** Tools that hold a word of the request, not only synonyms. */
  const own = new Uint8Array(size)
  const fits = new Uint8Array(size)
  for (let at = 0; at < size; at += 1) fits[at] = nameFit(names[at] ?? '', joined, isWordOpen)
  for (const [place, { word, tokens }] of terms.entries()) {
    const ownRarity = rarity(size, index.postingsOf(index.numberOf(word) ?? -1).length)
    best.fill(0)
    for (const [token, { worth, isOther }] of tokens) {
      const postings = index.postingsOf(token)
      const value = (worth * Math.min(ownRarity, rarity(size, postings.length))) / maxWeight
      for (const packed of postings) {
        const at = toolOf(packed)
        const points = value * weightOf(packed)
        if (points > (best[at] ?? 0)) best[at] = points
        if (isOther) continue
        own[at] = 1
        if (isInName(packed) && named[at] === place) named[at] = place + 1
      }
    }
    for (let at = 0; at < size; at += 1) {
      const points = best[at] ?? 0
      if (points === 0) continue
      scores[at] = (scores[at] ?? 0) + points
      held[at] = (held[at] ?? 0) + 1
    }
  }
  let highest = 0
  let isStrict = isEveryWordNeeded
  let isOwnFirst = false
  for (let at = 0; at < size; at += 1) {
    if (fits[at] !== 0) held[at] = terms.length
    const words = held[at] ?? 0
    if (words === 0) continue
    if (!isInScope(at)) held[at] = 0
    else scores[at] = (scores[at] ?? 0) * (1 - completeness + (completeness * words) / terms.length)
    if (held[at] === 0) continue
    highest = Math.max(highest, scores[at] ?? 0)
    isStrict ||= named[at] === terms.length
    isOwnFirst ||= terms.length === 1 && own[at] === 1
  }
  const found: number[] = []
  let complete = 0
  for (let at = 0; at < size; at += 1) {
    const words = held[at] ?? 0
    if (words === 0) continue
    const score = scores[at] ?? 0
    const isFar = score < minShareOfBest * highest
    if (words < terms.length && (isStrict || isFar)) continue
    const isOwn = own[at] === 1 || fits[at] !== 0
    if (isOwnFirst && !isOwn && isFar && !isEveryWordNeeded) continue
    if (words === terms.length) complete += 1
    scores[at] = score + pointsOfFit * ((fits[at] ?? 0) + (isOwnFirst && isOwn ? 1 : 0))
    found.push(at)
  }
  sortByScore(found, scores)
  let partial = 0
  const order = found.filter(at => {
    if (held[at] === terms.length) return true
    partial += 1
    return partial <= maxPartial
  })
  return { order, complete }
}

/** Best first, ties in catalog order. Sorts numbers that hold both: a comparator took 200 ms for 100,000 tools. */
function sortByScore(found: number[], scores: Float32Array): void {
  const keys = Float64Array.from(
    found,
    at => at - Math.round((scores[at] ?? 0) * scoreSteps) * maxTools,
  ).sort()
  for (let place = 0; place < keys.length; place += 1)
    found[place] = (((keys[place] ?? 0) % maxTools) + maxTools) % maxTools
}

/** How much a token says by standing in few tools: the idf of BM25. */
function rarity(size: number, count: number): number {
  return Math.log(1 + (size - count + 0.5) / (count + 0.5))
}
