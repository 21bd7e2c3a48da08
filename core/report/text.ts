/** Text from outside inside a report. */

/** What a terminal can show; files and pipes are plain. */
export interface TextStyle {
  readonly colour: boolean
  /** Width of the terminal; absent where there is none. */
  readonly columns?: number | undefined
}

/** Text of a manifest made harmless for a terminal or a log: what cannot be seen is written as `\u{200b}`. */
export function visible(text: string): string {
  return text.replaceAll(
    /(?!\u200d\p{Extended_Pictographic})\p{Cf}|(?![\t\n])\p{Cc}|[\u2028\u2029]/gu,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** As `visible`, on one line. */
export function oneLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').trim()
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Text for HTML and XML, in elements and in quoted attributes. What neither may hold is written out. */
export function escapeMarkup(text: string): string {
  return visible(text)
    .replaceAll(/[&<>"']/g, character => entities[character] ?? '')
    .replaceAll(
      /[\ufffe\uffff]|[\ud800-\udfff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
}
