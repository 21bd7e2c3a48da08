/** Above this many characters a text is shown in part, with a download for the whole. */
export const previewLimit = 5_000_000
/** How much of such a text is shown. */
export const previewSize = 1_000_000
/** Above this nothing is coloured. */
export const highlightLimit = 1_000_000
/** Longer lines are cut into pieces of this length: one line of megabytes would freeze layout. */
export const longestLine = 800

/** The part of a text that is shown. */
export function previewOf(text: string): { readonly text: string; readonly cut: boolean } {
  return text.length > previewLimit ? { text: text.slice(0, previewSize), cut: true } : { text, cut: false }
}

/** A text as lines that are each short enough to draw. */
export function linesOf(text: string): string[] {
  const lines: string[] = []
  for (const line of text.split('\n')) {
    if (line.length <= longestLine) lines.push(line)
    else for (let at = 0; at < line.length; at += longestLine) lines.push(line.slice(at, at + longestLine))
  }
  if (lines.at(-1) === '') lines.pop()
  return lines
}
