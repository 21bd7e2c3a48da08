import type { SearchText } from './search-text.ts'

/** What a search found. */
export interface Matches {
  /** Positions in the catalog, best match first; in catalog order where there is no text to match. */
  readonly order: readonly number[]
  /** Folded texts to highlight: the words of the query, or what stands in their place after a typo. */
  readonly needles: readonly string[]
}

/** Most tokens to highlight in place of a mistyped word. */
const maxNeedles = 100

/** The candidates that hold every word, best first; where none does, those that hold them with a typo in each. */
export function rank(text: SearchText, candidates: readonly number[], words: readonly string[]): Matches {
  const exact = best(text, candidates, words, (index, word) => text.exact(index, word))
  if (exact.length > 0) return { order: exact, needles: words }
  const parts = words.flatMap(word => word.split(/[^\p{L}\p{N}]+/u)).filter(part => part !== '')
  if (parts.length === 0) return { order: [], needles: words }
  for (const all of [false, true]) {
    const needles = new Set<string>(parts)
    const matchTypos = new Map(parts.map(part => [part, typoPoints(text, part, all, needles)]))
    const order = best(text, candidates, parts, (index, part) =>
      Math.max(text.exact(index, part), matchTypos.get(part)?.get(index) ?? 0),
    )
    if (order.length > 0) return { order, needles: [...needles] }
  }
  return { order: [], needles: words }
}

/** Sums the points of all words; a tool that misses one is out. Ties stay in catalog order. */
function best(
  text: SearchText,
  candidates: readonly number[],
  words: readonly string[],
  pointsOf: (index: number, word: string) => number,
): number[] {
  const whole = words.join(' ')
  const found: number[] = []
  const scores: number[] = []
  for (const index of candidates) {
    let score = text.names[index] === whole ? 1_000_000 : 0
    for (const word of words) {
      const points = pointsOf(index, word)
      score = points === 0 ? -1 : score + points
      if (score < 0) break
    }
    if (score < 0) continue
    found.push(index)
    scores[index] = score
  }
  return found.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b)
}

/** Points of every tool that holds the word with a typo; what stands there is added to the needles. */
function typoPoints(text: SearchText, word: string, all: boolean, needles: Set<string>): Map<number, number> {
  const found = new Map<number, number>()
  for (const [vocabulary, points] of text.vocabularies(all)) {
    vocabulary.matchTypos(word, (token, places) => {
      if (needles.size < maxNeedles) needles.add(token)
      for (const place of places) if ((found.get(place) ?? 0) < points) found.set(place, points)
    })
  }
  return found
}
