/**
 * Returns a description without the indentation of its source code, by the rule of Python's `inspect.cleandoc` (PEP
 * 257): the first line loses its own indentation, the others their common one, and blank lines around the text are
 * removed. A tab counts as one character.
 */
export function dedent(text: string): string {
  if (!/^\s|\s$|\n[ \t]/.test(text)) return text
  const [first = '', ...others] = text.split(/\r\n|\r|\n/)
  const indents = others.filter(line => line.trim() !== '').map(line => line.length - line.trimStart().length)
  const common = indents.reduce((least, indent) => Math.min(least, indent), Number.POSITIVE_INFINITY)
  return [first.trimStart(), ...others.map(line => line.slice(common).trimEnd())]
    .join('\n')
    .replace(/^\n+/, '')
    .trimEnd()
}
