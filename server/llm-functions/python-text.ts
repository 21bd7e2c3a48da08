/** Navigates Python text: strings, comments and brackets. All functions take linear time. */

/** Returns the index after the string, comment or character at `at`; always greater than `at`. */
export function skipToken(text: string, at: number): number {
  const character = text[at]
  if (character === '#') return lineEnd(text, at)
  if (character === '"' || character === "'") return stringEnd(text, at)
  return at + 1
}

/** Returns the index after the bracket that closes the one at `at`, or the text's end if it is not closed. */
export function skipBalanced(text: string, at: number): number {
  let depth = 0
  for (let index = at; index < text.length; ) {
    const character = text[index] ?? ''
    if ('([{'.includes(character)) depth++
    else if (')]}'.includes(character) && --depth === 0) return index + 1
    index = skipToken(text, index)
  }
  return text.length
}

/** Returns the index of the next line feed, or the text's end. */
export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end < 0 ? text.length : end
}

/** Returns the index after the string literal that begins at `at`. An unclosed short string ends with its line. */
export function stringEnd(text: string, at: number): number {
  const quote = quoteAt(text, at)
  for (let index = at + quote.length; index < text.length; index++) {
    if (text[index] === '\\') index++
    else if (text.startsWith(quote, index)) return index + quote.length
    else if (quote.length === 1 && text[index] === '\n') return index
  }
  return text.length
}

/** Returns the opening quote at `at`: one character, or three. */
export function quoteAt(text: string, at: number): string {
  const one = text.slice(at, at + 1)
  return text.startsWith(one.repeat(3), at) ? one.repeat(3) : one
}

/**
 * Returns the index after the logical line at `index`, which brackets, strings and backslashes continue over line ends.
 */
export function logicalLineEnd(text: string, index: number): number {
  let at = index
  while (at < text.length) {
    const character = text[at]
    if (character === '\n') return at + 1
    if (character === '\\') at += 2
    else if (character === '(' || character === '[' || character === '{') at = skipBalanced(text, at)
    else at = skipToken(text, at)
  }
  return at
}

/** Splits at a separator outside brackets and strings; an empty last part is dropped. */
export function splitTop(text: string, separator: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < text.length; ) {
    const character = text[at] ?? ''
    if (character === separator) {
      parts.push(text.slice(from, at))
      from = at + 1
    }
    at = '([{'.includes(character) ? skipBalanced(text, at) : skipToken(text, at)
  }
  const last = text.slice(from)
  return last.trim() === '' ? parts : [...parts, last]
}
