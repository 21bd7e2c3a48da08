/** Characters; a longer text is shown in part, with a download for the whole. */
export const maxWholeLength = 5_000_000
/** Characters that are shown of a longer text. */
export const previewLength = 1_000_000
/** Characters; a longer text has no colours. */
export const maxHighlightLength = 1_000_000
/** Longer lines are cut into pieces of this length: one line of megabytes would freeze the layout. */
export const maxLineLength = 800

/** Returns the part of a text that is shown. */
export function cutForPreview(text: string): { readonly text: string; readonly cut: boolean } {
  return text.length > maxWholeLength
    ? { text: text.slice(0, previewLength), cut: true }
    : { text, cut: false }
}

/** Splits a text into lines that are short enough to render. */
export function splitIntoLines(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (line.length <= maxLineLength) lines.push(line)
    else
      for (let at = 0; at < line.length; at += maxLineLength) lines.push(line.slice(at, at + maxLineLength))
  }
  if (lines.at(-1) === '') lines.pop()
  return lines
}
