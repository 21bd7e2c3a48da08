import type { Term } from './query.ts'
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
const scoreSteps = 2 ** 20
const maxTools = 2 ** 24

/** A tool with all words is worth this much more than its parts. */
const completeness = 0.5

/**
 * The tools in scope by what they say about the words. Those that lack a word are left out where a name holds all words.
 */
export function rank(
  index: WordIndex,
  size: number,
  isInScope: (at: number) => boolean,
  terms: readonly Term[],
  isEveryWordNeeded: boolean,
): Ranking {
  const scores = new Float32Array(size)
  const held = new Uint8Array(size)
  const best = new Float32Array(size)
  /** Words of the request that stand in the tool's name as they were typed. */
  const named = new Uint8Array(size)
  for (const [place, { word, tokens }] of terms.entries()) {
    const own = rarity(size, index.postingsOf(index.numberOf(word) ?? -1).length)
    best.fill(0)
    for (const [token, { worth, isOther }] of tokens) {
      const postings = index.postingsOf(token)
      const value = (worth * Math.min(own, rarity(size, postings.length))) / maxWeight
      for (const packed of postings) {
        const at = toolOf(packed)
        const points = value * weightOf(packed)
        if (points > (best[at] ?? 0)) best[at] = points
        if (!isOther && isInName(packed) && named[at] === place) named[at] = place + 1
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
  for (let at = 0; at < size; at += 1) {
    const words = held[at] ?? 0
    if (words === 0) continue
    if (!isInScope(at)) held[at] = 0
    else scores[at] = (scores[at] ?? 0) * (1 - completeness + (completeness * words) / terms.length)
    if (held[at] === 0) continue
    highest = Math.max(highest, scores[at] ?? 0)
    isStrict ||= named[at] === terms.length
  }
  const found: number[] = []
  let complete = 0
  for (let at = 0; at < size; at += 1) {
    if (held[at] === 0) continue
    if (held[at] === terms.length) complete += 1
    else if (isStrict || (scores[at] ?? 0) < minShareOfBest * highest) continue
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
