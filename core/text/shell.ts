/**
 * Returns one word for a POSIX shell that the program receives unchanged: between single quotes, quotes, newlines, `$`
 * and backticks have no meaning. A NUL is removed, because no argument can contain it.
 */
export function quoteForShell(word: string): string {
  const text = word.replaceAll('\0', '')
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/** Returns words as one command. */
export const formatShellCommand = (words: readonly string[]) => words.map(quoteForShell).join(' ')
