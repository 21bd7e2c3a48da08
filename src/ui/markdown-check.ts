/** Longer texts are shown plain: parsing must not hold the page up. */
const maxMarkdownLength = 20_000

/** The line below the heads of a table, which need no bars at the edges. */
const tableLine = /\n[ \t]*:?-+:?[ \t]*\|[-:| \t]*(\n|$)/

const marks =
  /(^|\n)\s{0,3}(#{1,6} |[-*+] |\d+[.)] |> |```|~~~|\|)|`[^`\n]+`|\*\*[^*\n]+\*\*|\]\(|(^|\s)_[^_\n]+_(\s|$)|~~[^~\n]+~~|https?:\/\//

/** A run of markers that nests: parsers go one level down for each, so a hostile run costs far more than its length. */
const deepNesting = /([>*+-]\s?){40}|\[{40}|[*_~]{80}/

/** Each mark of emphasis is compared with those before it. */
const maxEmphasisMarks = 1500

/** Every row of a table gets as many cells as its widest, and any line can be a row. */
const maxTableCells = 10_000

function tableCells(text: string): number {
  const lines = text.split('\n')
  return lines.length * Math.max(...lines.map(line => line.split('|').length - 1))
}

/** Whether a text gains from being read as markdown, and is safe to parse. */
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

/** Whether a link from hostile text may be followed: only these schemes, never `javascript:` or a relative path. */
export function isSafeLink(href: string | undefined): href is string {
  return href !== undefined && /^(https?:\/\/|mailto:)/i.test(href)
}
