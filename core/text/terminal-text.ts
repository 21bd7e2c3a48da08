/**
 * The gate that all output of the program passes (server/commands/terminal.ts). A text from outside cannot steer a terminal
 * there, cannot reorder what stands on it, and cannot give a command to a CI system that reads the log.
 */

/**
 * Signs of our own in a text that would otherwise be disarmed: terminal colours, or commands to GitHub Actions. The maker of
 * the text has then disarmed what it took from outside (plain-text.ts).
 */
export type OwnSigns = 'colours' | 'workflow commands'

/** Control characters but line breaks and tabs, separators of lines, direction marks, tags. */
const steering =
  /(?:(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}])+/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const colour = /(\u001b\[[\d;]*m)/

/** A text of many lines: the same, where nothing in it is dangerous. */
export function terminalText(text: string, own?: OwnSigns): string {
  // Every other part is a colour.
  const parts = own === 'colours' ? text.split(colour) : [text]
  const plain = parts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(steering, '\uFFFD')))
    .join('')
  // `##[error]`, `##vso[…]`, `##teamcity[…]` count anywhere in a line.
  const disarmed = plain.replace(/##(?=\w*\[)/g, '## ')
  // `::error::` counts at the start of a line, after spaces.
  return own === 'workflow commands' ? disarmed : disarmed.replace(/^([^\S\n]*):(?=:)/gm, '$1: ')
}

/** A text as one line, without the line break at its end. */
export function terminalLine(text: string): string {
  return terminalText(text.replace(/[\t\n\r\u2028\u2029]+/g, ' '))
}
