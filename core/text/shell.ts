/**
 * One word for a POSIX shell, such that the program gets it to the letter: quotes, newlines, `$` and backticks mean
 * nothing between single quotes. A NUL, which no argument can hold, is left out.
 */
export function quoteForShell(word: string): string {
  const text = word.replaceAll('\0', '')
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Words as one command. */
export const shellWords = (words: readonly string[]) => words.map(quoteForShell).join(' ')
