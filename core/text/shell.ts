/**
 * Returns one word for a POSIX shell that the program receives unchanged: between single quotes, quotes, newlines, `$`
 * and backticks have no meaning. A NUL is removed, because no argument can contain it.
 */
export function quoteForShell(word: string): string {
  const text = word.replaceAll('\0', '')
  if (/^[\w@%+=:,./-]+$/.test(text)) return text
  return `'${text.replaceAll("'", `'\\''`)}'`
}

/**
 * Returns one word for a POSIX shell, which replaces each `${NAME}` in it by that variable. The shell reports a variable
 * that is not set, and does not run the command.
 */
export function quoteWithVariables(word: string): string {
  const parts = word.split(/\$\{([A-Za-z_]\w*)\}/)
  return parts
    .map((part, index) => (index % 2 === 1 ? `"\${${part}:?}"` : part === '' ? '' : quoteForShell(part)))
    .join('')
}

/** Returns words as one command. */
export const formatShellCommand = (words: readonly string[]) => words.map(quoteForShell).join(' ')
