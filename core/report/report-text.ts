/** Makes external text safe inside a report. */

/** The abilities of a terminal; files and pipes are plain. */
export interface TextStyle {
  readonly colour: boolean
  /** Width of the terminal; absent without a terminal. */
  readonly columns?: number | undefined
}

/** Colours a text by a code of terminals (SGR). */
export type Paint = (text: string, code: number) => string

export function createPaint({ colour }: Pick<TextStyle, 'colour'>): Paint {
  return (text, code) => (colour ? `\u001b[${code}m${text}\u001b[0m` : text)
}

/** Makes text of a manifest safe for a terminal or a log: invisible characters are written as `\u{200b}`. */
export function visible(text: string): string {
  return text.replaceAll(
    /(?!\u200d\p{Extended_Pictographic})\p{Cf}|(?![\t\n])\p{Cc}|[\u2028\u2029]/gu,
    character => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  )
}

/** Does the same as `visible`, on one line. */
export function visibleLine(text: string): string {
  return visible(text).replaceAll(/\s+/g, ' ').trim()
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Escapes text for HTML and XML elements and quoted attributes. Characters that neither allows are written out. */
export function escapeMarkup(text: string): string {
  return visible(text)
    .replaceAll(/[&<>"']/g, character => entities[character] ?? '')
    .replaceAll(
      /[\ufffe\uffff]|[\ud800-\udfff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g,
      '\ufffd',
    )
}
