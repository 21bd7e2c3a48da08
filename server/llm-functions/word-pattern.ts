/** Patterns of `grep -w -E`, which llm-functions' own scripts match tool names with, as expressions of RE2. */

const word = '[\\p{L}\\p{N}_]'
const notWord = '[^\\p{L}\\p{N}_]'
/** GNU's escapes. RE2 cannot say which side of a boundary the word is on: rather a name too many. */
const escapes: Readonly<Record<string, string>> = {
  w: word,
  W: notWord,
  '<': '\\b',
  '>': '\\b',
  '`': '^',
  "'": '$',
}

/**
 * An expression that is found in a name where `grep -w -E <pattern>` would find the pattern: what matches must begin and end
 * with a whole word. Throws an Error for what RE2 cannot do (references back).
 */
export function wordPattern(pattern: string): string {
  // A pattern of several lines is one for each line.
  const any = pattern.split('\n').map(line => `(?:${toRe2(line)})`)
  return `(?:^|${notWord})(?:${any.join('|')})(?:${notWord}|$)`
}

/** What means the same in both stays; GNU's escapes, and backslashes in brackets, which are characters there, do not. */
function toRe2(pattern: string): string {
  const part = /\\([\s\S]?)|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\(\?|[\s\S]/g
  return pattern.replace(part, (text, escaped: string | undefined) => {
    if (text === '(?') throw new Error('a repetition of nothing')
    if (escaped === undefined)
      return text.startsWith('[') && text.length > 1 ? text.replaceAll('\\', '\\\\') : text
    if (escaped === '' || /[1-9]/.test(escaped)) throw new Error('a backslash that RE2 cannot read')
    // Other letters stand for themselves.
    return escapes[escaped] ?? (/[A-Za-z0]/.test(escaped) && !/[bBsS]/.test(escaped) ? escaped : text)
  })
}
