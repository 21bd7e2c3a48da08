/** Longer texts are shown as plain text, because parsing would block the page. */
const maxMarkdownLength = 20_000

/** The line below the head of a table, which needs no bars at the edges. */
const tableLine = /\n[ \t]*:?-+:?[ \t]*\|[-:| \t]*(\n|$)/

const marks =
  /(^|\n)\s{0,3}(#{1,6} |[-*+] |\d+[.)] |> |```|~~~|\|)|`[^`\n]+`|\*\*[^*\n]+\*\*|\]\(|(^|\s)_[^_\n]+_(\s|$)|~~[^~\n]+~~|https?:\/\//

/** Nested markers: parsers go one level deeper for each, so a hostile run costs far more than its length. */
const deepNesting = /([>*+-]\s?){40}|\[{40}|[*_~]{80}/

/** Parsers compare each emphasis mark with the ones before it. */
const maxEmphasisMarks = 1500

/** Each row of a table gets as many cells as the widest row, and any line can be a row. */
const maxTableCells = 10_000

function tableCells(text: string): number {
  const lines = text.split('\n')
  return lines.length * Math.max(...lines.map(line => line.split('|').length - 1))
}

/** Returns whether a text has Markdown marks and is safe to parse. */
export function looksLikeMarkdown(text: string): boolean {
  if (
    text.length > maxMarkdownLength ||
    deepNesting.test(text) ||
    !(marks.test(text) || tableLine.test(text))
  )
    return false
  const emphasisMarks = text.match(/[*_~]+/g)?.length ?? 0
  return emphasisMarks <= maxEmphasisMarks && tableCells(text) <= maxTableCells
}

/** Returns whether a link from hostile text is safe: only these schemes, never `javascript:` or a relative path. */
export function isSafeLink(href: string | undefined): href is string {
  return href !== undefined && /^(https?:\/\/|mailto:)/i.test(href)
}
