/** Counts tokens with a real tokenizer, in time that is linear in the text. */
import { LRUCache } from 'lru-cache'

export interface TokenCounter {
  /** Returns the tokens of a text; special tokens in it count as ordinary text. */
  count(text: string): number
}

/** Maximum length of a piece: merging takes quadratic time. Pieces of natural text are a tenth of this. */
const maxPieceCharacters = 256

/** Runs that the tokenizer would read as one piece: letters, blanks, or signs. */
const longRun = new RegExp(
  `(?:[\\p{L}\\p{M}]{${maxPieceCharacters}}|\\s{${maxPieceCharacters}}|[^\\s\\p{L}\\p{N}]{${maxPieceCharacters}})`,
  'gu',
)

/** Only the beginning of a longer text is counted; the rest is estimated from it. */
const maxTextCharacters = 200_000

/**
 * Loads the tokenizer (2.4 MB, on demand) once. A run of more than 256 letters, blanks or signs is counted in parts,
 * which adds at most one token per part: a single run of a megabyte would otherwise take an hour. Beyond 200,000
 * characters the count is estimated from the beginning of the text.
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
  // A Map that is cleared when it is full: an LRU cache takes twice as long to look up, and this is the inner loop.
  const known = new Map<string, number>()
  let free = maxCachedCharacters
  const sumTokens = (segments: readonly string[], count: (segment: string) => number): number => {
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
  const countString = (text: string): number => sumTokens(text.split(wordEnd), countWord)
  return {
    count(whole) {
      const text = whole.slice(0, maxTextCharacters)
      const total = sumTokens(cutStrings(text), countString)
      return text.length === whole.length ? total : Math.round((total * whole.length) / text.length)
    },
  }
}

/**
 * The positions at which a text is cut: before an ASCII sign or blank that follows an ASCII letter or digit. The sum
 * over the segments is exact: in the encoding's pattern (`O200K_TOKEN_SPLIT_PATTERN` of gpt-tokenizer) no alternative
 * with a letter or digit continues with such a character, except the apostrophe of a contraction, and the only
 * look-ahead follows blanks.
 */
const wordEnd = /(?<=[0-9A-Za-z])(?=[^0-9A-Za-z'\u0080-\uffff])/

/** Cuts only at word ends before a quotation mark: JSON repeats most of these larger segments. */
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
 * Schemas repeat keys, and tools repeat descriptions of any length, so each segment is counted once. Each entry also
 * costs about the size of a Map entry.
 */
const maxCachedCharacters = 20_000_000
const entryCharacters = 50

/** Maximum characters of the texts with cached counts. */
const maxRememberedCharacters = 40_000_000

/** Caches counts: a catalog's tools stay the same while the user changes formats and choices. */
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
