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
  const countWord = (word: string): number => {
    if (word.length < maxPieceCharacters) return countTokens(word, plain)
    let total = 0
    let from = 0
    for (const { index, 0: run } of word.matchAll(longRun)) {
      total += countTokens(word.slice(from, index), plain) + countTokens(run, plain)
      from = index + run.length
    }
    return total + countTokens(word.slice(from), plain)
  }
  // A Map that is emptied when it is full: an LRU cache takes twice as long to look up, and this is the inner loop.
  const known = new Map<string, number>()
  let free = maxCachedCharacters
  const sumOf = (segments: readonly string[], count: (segment: string) => number): number => {
    let total = 0
    for (const segment of segments) {
      let tokens = known.get(segment)
      if (tokens === undefined) {
        tokens = count(segment)
        free -= segment.length + entryCharacters
        if (free < 0) {
          known.clear()
          free = maxCachedCharacters
        }
        known.set(segment, tokens)
      }
      total += tokens
    }
    return total
  }
  const countString = (text: string): number => sumOf(text.split(wordEnd), countWord)
  return {
    count(whole) {
      const text = whole.slice(0, maxTextCharacters)
      const total = sumOf(cutStrings(text), countString)
      return text.length === whole.length ? total : Math.round((total * whole.length) / text.length)
    },
  }
}

/**
 * Where a text is cut: before a sign or blank of ASCII that follows a letter or digit of ASCII. The sum over the
 * segments is exact: in the encoding's pattern (`O200K_TOKEN_SPLIT_PATTERN` of gpt-tokenizer) nothing that takes a
 * letter or digit takes such a character after it, except the apostrophe of a contraction, and the one look ahead
 * stands after blanks.
 */
const wordEnd = /(?<=[0-9A-Za-z])(?=[^0-9A-Za-z'\u0080-\uffff])/

/** Cuts at the word ends before a quotation mark only: JSON repeats most of these larger segments. */
function cutStrings(text: string): string[] {
  const segments: string[] = []
  let from = 0
  for (let at = text.indexOf('"', 1); at >= 0; at = text.indexOf('"', at + 1)) {
    if (!isAlphanumeric(text.charCodeAt(at - 1))) continue
    segments.push(text.slice(from, at))
    from = at
  }
  segments.push(text.slice(from))
  return segments
}

function isAlphanumeric(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122)
}

/**
 * Schemas repeat keys, and tools descriptions, however long: each segment is counted once. About what a Map takes for
 * an entry is added to its characters.
 */
const maxCachedCharacters = 20_000_000
const entryCharacters = 50

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
