/** Counts tokens with a real tokenizer, in time that grows with the text alone. */
import { LRUCache } from 'lru-cache'

export interface TokenCounter {
  /** Tokens of a text; special tokens in it are text like any other. */
  count(text: string): number
}

/** Merging takes time that grows with the square of a piece. Pieces of people's words are a tenth of this. */
const maxPieceCharacters = 256

/** Runs that the tokenizer would take as one piece: letters, blanks, or signs. */
const longRun = new RegExp(
  `(?:[\\p{L}\\p{M}]{${maxPieceCharacters}}|\\s{${maxPieceCharacters}}|[^\\s\\p{L}\\p{N}]{${maxPieceCharacters}})`,
  'gu',
)

/** Of a longer text the first part is counted, and the rest is taken to be like it. */
const maxTextCharacters = 200_000

/**
 * Loads the tokenizer (2.4 MB, on demand) once. A run of more than 256 letters, blanks or signs is counted in parts,
 * which adds a token a part at most: one run of a megabyte would otherwise take an hour. Of a text beyond 200,000
 * characters the rest is estimated from its beginning.
 */
export async function loadTokenCounter(): Promise<TokenCounter> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base')
  const plain = { disallowedSpecial: new Set<string>() }
  const countSegment = (text: string): number => {
    let total = 0
    let from = 0
    for (const { index, 0: run } of text.matchAll(longRun)) {
      total += countTokens(text.slice(from, index), plain) + countTokens(run, plain)
      from = index + run.length
    }
    return total + countTokens(text.slice(from), plain)
  }
  // A Map that is emptied when it is full: an LRU cache takes twice as long to look up, and this is the inner loop.
  const known = new Map<string, number>()
  const remembered = (segment: string): number => {
    const found = known.get(segment)
    if (found !== undefined) return found
    const count = countSegment(segment)
    if (segment.length > maxCachedCharacters) return count
    if (known.size >= maxCachedSegments) known.clear()
    known.set(segment, count)
    return count
  }
  return {
    count(whole) {
      const text = whole.slice(0, maxTextCharacters)
      let total = 0
      for (const segment of segmentsOf(text)) total += remembered(segment)
      return text.length === whole.length ? total : Math.round((total * whole.length) / text.length)
    },
  }
}

/** JSON says the same things over and over: these are counted once. */
const maxCachedCharacters = 200
const maxCachedSegments = 100_000

/**
 * Cuts before each quotation mark that follows a letter or digit of ASCII. A token never spans such a place, since the
 * encoding's pattern takes words, numbers and signs apart: the sum over the segments is exact.
 */
function* segmentsOf(text: string): Generator<string> {
  let from = 0
  for (let at = text.indexOf('"', 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (!isAlphanumeric(text.charCodeAt(at - 1))) continue
    yield text.slice(from, at)
    from = at
  }
  yield text.slice(from)
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/** How many characters of counted texts are remembered. */
const maxRememberedCharacters = 40_000_000

/** Remembers what was counted: a catalog's tools stay the same while formats and choices change. */
export function rememberingCounter(counter: TokenCounter): TokenCounter {
  const known = new LRUCache<string, number>({
    maxSize: maxRememberedCharacters,
    sizeCalculation: (_, text) => text.length || 1,
  })
  return {
    count(text) {
      const found = known.get(text)
      if (found !== undefined) return found
      const count = counter.count(text)
      known.set(text, count)
      return count
    },
  }
}
