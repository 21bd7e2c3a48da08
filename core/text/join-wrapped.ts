/**
 * Joins the lines that an author's editor wrapped, as Markdown joins the lines of a paragraph: a narrow column would
 * break them a second time. Only lines that the editor filled are joined; whatever may be a line on purpose stays one:
 * items of a list, tables, code, sections such as "Args:", short lines.
 */

/** Editors wrap at this many characters or more. A line that is shorter was ended by its author. */
const minWidth = 50

/** ``` or ~~~, after spaces or the mark of a list. */
const fence = /^\s*(?:[-*+] |\d+[.)] )?(?:```|~~~)/
/** The mark of an item of a list. */
const item = /^(?:[-*+•·–—] +|\d{1,3}[.)] +|\([a-z0-9]\) +)/i
/** Begins a line of its own: a table, a quotation, a heading, an underline, HTML, data, a prompt of a shell, a tag. */
const ownStart = /^(?:[|>#<$@"{}[\]]|:\w|[-=*_]{3,}|`{3})/
/** `query: what to look for`, `limit (int, optional): how many`, `Returns:`, `name - what it is`. */
const label = /^[`*]{0,2}[\w.$-]{1,40}[`*]{0,2}(?: ?\([^()]{0,60}\))?(?::| [-–—] )/
/** Of Markdown: a break on purpose, and what introduces lines of its own. */
const ownEnd = /(?: {2}|\\|:)$/

/** The text with its wrapped lines joined. Takes time in proportion to its length. */
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

/** For each line the length of the longest line between the empty lines around it. */
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

const indentOf = (line: string) => line.length - line.trimStart().length

/** Whether the editor began `line` because `before` was full. */
function continues(before: string, line: string, width: number): boolean {
  if (width < minWidth || before.trim() === '' || line.trim() === '' || ownEnd.test(before)) return false
  const [indent, own] = [indentOf(before), line.trimStart()]
  const mark = item.exec(before.trimStart())?.[0].length ?? 0
  // Indented like this in the text itself it is code.
  if (indentOf(line) !== indent + mark || (mark === 0 && indent >= 4)) return false
  if (item.test(own) || ownStart.test(own) || ownStart.test(before.trimStart()) || label.test(own))
    return false
  const firstWord = own.split(' ', 1)[0] ?? ''
  return before.length + 1 + firstWord.length >= width
}
