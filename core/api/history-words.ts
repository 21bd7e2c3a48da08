/** Splits text into the words of the search, the same for every database, because neither database splits it. */

/** Only this many characters of a word are indexed. */
const maxWordCharacters = 32
/** Scripts without spaces between words: each character is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const word = /[\p{L}\p{M}\p{N}]+/gu
/** The pattern for ASCII text. Loading the Unicode tables takes longer than reading a short text. */
const asciiWord = /[a-z0-9]+/g

/**
 * Returns lower-case words of letters and digits, each once, in order of appearance, at most `limit`. Only the first
 * `length` characters are read. `getUser` is `getuser`; `get_user` is `get` and `user`.
 */
export function collectSearchWords(text: string, limit: number, length: number): string[] {
  const found = new Set<string>()
  const folded = text.slice(0, length).normalize('NFC').toLowerCase()
  const isAscii = /^[\0-\x7f]*$/.test(folded)
  for (const [match] of folded.matchAll(isAscii ? asciiWord : word)) {
    for (const part of isAscii ? [match] : splitUnspaced(match)) {
      found.add(cutWord(part))
      if (found.size >= limit) return [...found]
    }
  }
  return [...found]
}

/** Returns the words of a search, at most eight. */
export function searchWords(text: string): string[] {
  return collectSearchWords(text, 8, 500)
}

function splitUnspaced(run: string): string[] {
  if (!unspaced.test(run)) return [run]
  const parts: string[] = []
  let plain = ''
  for (const character of run) {
    if (!unspaced.test(character)) plain += character
    else {
      if (plain !== '') parts.push(plain)
      plain = ''
      parts.push(character)
    }
  }
  return plain === '' ? parts : [...parts, plain]
}

/** Cuts a word without splitting a surrogate pair. */
function cutWord(text: string): string {
  return text.length <= maxWordCharacters
    ? text
    : [...text.slice(0, maxWordCharacters * 2)].slice(0, maxWordCharacters).join('')
}
