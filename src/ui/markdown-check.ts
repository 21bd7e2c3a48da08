/** Longer texts are shown plain: parsing must not hold the page up. */
const maxMarkdownLength = 20_000

const marks =
  /(^|\n)\s{0,3}(#{1,6} |[-*+] |\d+[.)] |> |```|~~~|\|)|`[^`\n]+`|\*\*[^*\n]+\*\*|\]\(|(^|\s)_[^_\n]+_(\s|$)|https?:\/\//

/** A run of markers that nests: parsers go one level down for each, so a hostile run costs far more than its length. */
const deepNesting = /([>*+-]\s?){40}|\[{40}|[*_]{80}/

/** Whether a text gains from being read as markdown, and is safe to parse. */
export function looksLikeMarkdown(text: string): boolean {
  return text.length <= maxMarkdownLength && !deepNesting.test(text) && marks.test(text)
}

/** Whether a link from hostile text may be followed: only these schemes, never `javascript:` or a relative path. */
export function isSafeLink(href: string | undefined): href is string {
  return href !== undefined && /^(https?:\/\/|mailto:)/i.test(href)
}
