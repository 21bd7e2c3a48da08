/**
 * Joins the lines that an author's editor wrapped, as Markdown joins the lines of a paragraph, because a narrow column
 * would break them a second time. Only full lines are joined. Lines that may be intended stay: list items, tables,
 * code, sections such as "Args:", short lines.
 */

/** The smallest width at which editors wrap. The author ended a shorter line on purpose. */
const minWidth = 50

/** Matches ``` or ~~~, after spaces or a list marker. */
const fence = /^\s*(?:[-*+] |\d+[.)] )?(?:```|~~~)/
/** Matches a list marker. */
const item = /^(?:[-*+•·–—] +|\d{1,3}[.)] +|\([a-z0-9]\) +)/i
/**
 * Matches the start of a line that stays separate: table, quotation, heading, underline, HTML, data, shell prompt, tag.
 */
const ownStart = /^(?:[|>#<$@"{}[\]]|:\w|[-=*_]{3,}|`{3})/
/** Matches `query: what to look for`, `limit (int, optional): how many`, `Returns:`, `name - what it is`. */
const label = /^[`*]{0,2}[\w.$-]{1,40}[`*]{0,2}(?: ?\([^()]{0,60}\))?(?::| [-–—] )/
/** Matches the end of a line after which Markdown breaks, or a colon that introduces separate lines. */
const ownEnd = /(?: {2}|\\|:)$/

/** Returns the text with its wrapped lines joined, in linear time. */
export function joinWrapped(text: string): string {
  if (!text.includes('\n')) return text
  const lines = text.split('\n')
  const widths = blockWidths(lines)
  const joined: string[] = []
  let isCode = false
  for (const [at, line] of lines.entries()) {
    const before = lines[at - 1]
    const isFence = fence.test(line)
    const mayJoin = !isCode && !isFence && before !== undefined && !fence.test(before)
    if (isFence) isCode = !isCode
    if (mayJoin && continues(before, line, widths[at] ?? 0))
      joined.push(`${joined.pop()} ${line.trimStart()}`)
    else joined.push(line)
  }
  return joined.join('\n')
}

/** Returns for each line the length of the longest line in its paragraph. */
function blockWidths(lines: readonly string[]): number[] {
  const widths: number[] = []
  let start = 0
  let width = 0
  for (const [at, line] of [...lines, ''].entries()) {
    width = Math.max(width, line.length)
    if (line.trim() !== '') continue
    for (; start <= at; start += 1) widths.push(width)
    width = 0
  }
  return widths
}

const countIndent = (line: string) => line.length - line.trimStart().length

/** Returns whether the editor started `line` because `before` was full. */
function continues(before: string, line: string, width: number): boolean {
  if (width < minWidth || before.trim() === '' || line.trim() === '' || ownEnd.test(before)) return false
  const [indent, own] = [countIndent(before), line.trimStart()]
  const mark = item.exec(before.trimStart())?.[0].length ?? 0
  // A line with such an indentation is code.
  if (countIndent(line) !== indent + mark || (mark === 0 && indent >= 4)) return false
  if (item.test(own) || ownStart.test(own) || ownStart.test(before.trimStart()) || label.test(own))
    return false
  const firstWord = own.split(' ', 1)[0] ?? ''
  return before.length + 1 + firstWord.length >= width
}

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
