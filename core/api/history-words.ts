/** Text as the words by which it is found: the same on every database, because neither database splits it. */

/** A longer word is found by its first characters. */
const maxWordCharacters = 32
/** Scripts without spaces between words: each character is a word. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u
const word = /[\p{L}\p{M}\p{N}]+/gu
/** The same where there is nothing but ASCII: the tables of Unicode take longer to load than a short text to read. */
const asciiWord = /[a-z0-9]+/g

/**
 * Lower-case words of letters and digits, each once, in order of appearance, at most `limit`; nothing beyond the first
 * `length` characters is looked at. `getUser` is `getuser`; `get_user` is `get` and `user`.
 */
export function wordsOf(text: string, limit: number, length: number): string[] {
  const found = new Set<string>()
  const folded = text.slice(0, length).normalize('NFC').toLowerCase()
  const isAscii = /^[\0-\x7f]*$/.test(folded)
  for (const [match] of folded.matchAll(isAscii ? asciiWord : word)) {
    for (const part of isAscii ? [match] : splitUnspaced(match)) {
      found.add(firstOf(part))
      if (found.size >= limit) return [...found]
    }
  }
  return [...found]
}

/** The words that a search asks for, at most eight. */
export function searchWords(text: string): string[] {
  return wordsOf(text, 8, 500)
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

/** Never half of a surrogate pair. */
function firstOf(text: string): string {
  return text.length <= maxWordCharacters
    ? text
    : [...text.slice(0, maxWordCharacters * 2)].slice(0, maxWordCharacters).join('')
}
