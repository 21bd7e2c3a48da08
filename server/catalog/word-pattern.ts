/** Converts patterns of `grep -w -E`, with which llm-functions' scripts match tool names, into RE2 expressions. */

const word = '[\\p{L}\\p{N}_]'
const notWord = '[^\\p{L}\\p{N}_]'
/** GNU's escapes. RE2's boundary does not state on which side the word is, so it may match too many names. */
const escapes: Readonly<Record<string, string>> = {
  w: word,
  W: notWord,
  '<': '\\b',
  '>': '\\b',
  '`': '^',
  "'": '$',
}

/**
 * Returns an RE2 expression that matches a name if `grep -w -E <pattern>` would: a match must begin and end with a
 * whole word. Throws an Error for back references, which RE2 does not support.
 */
export function wordPattern(pattern: string): string {
  // A pattern of several lines is one pattern per line.
  const any = pattern.split('\n').map(line => `(?:${toRe2(line)})`)
  return `(?:^|${notWord})(?:${any.join('|')})(?:${notWord}|$)`
}

/**
 * Keeps what means the same in both; converts GNU's escapes, and backslashes in brackets, which are literal in grep.
 */
function toRe2(pattern: string): string {
  const part = /\\([\s\S]?)|\[\^?\]?(?:\[:\w+:\]|[^\]])*\]|\(\?|[\s\S]/g
  return pattern.replace(part, (text, escaped: string | undefined) => {
    if (text === '(?') throw new Error('a repetition of nothing')
    if (escaped === undefined)
      return text.startsWith('[') && text.length > 1 ? text.replaceAll('\\', '\\\\') : text
    if (escaped === '' || /[1-9]/.test(escaped)) throw new Error('a backslash that RE2 cannot read')
    // Other escaped letters are literal.
    return escapes[escaped] ?? (/[A-Za-z0]/.test(escaped) && !/[bBsS]/.test(escaped) ? escaped : text)
  })
}
