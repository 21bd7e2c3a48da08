/**
 * A description without the indentation of the code that it was written in, by the rule of Python's
 * `inspect.cleandoc` (PEP 257): the first line loses its own, the others what they have in common; blank lines around
 * the text go. A tab is one character.
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
