/**
 * Makes all output of the program safe (server/commands/terminal.ts): a text from outside cannot control a terminal,
 * change the order of the text on it, or give a command to a CI system that reads the log.
 */

/**
 * Control texts of our own that stay: terminal colours, or commands to GitHub Actions. The caller must make the texts
 * from outside safe itself (plain-text.ts).
 */
export type OwnSigns = 'colours' | 'workflow commands'

/** Control characters except line breaks and tabs, line separators, direction marks, tags. */
const steering =
  /(?:(?![\n\t])\p{Cc}|[\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}])+/gu
// biome-ignore lint/suspicious/noControlCharactersInRegex: a colour begins with one
const colour = /(\u001b\[[\d;]*m)/

/** Returns a text of many lines without dangerous characters. */
export function terminalText(text: string, own?: OwnSigns): string {
  // Every second part is a colour.
  const parts = own === 'colours' ? text.split(colour) : [text]
  const plain = parts
    .map((part, index) => (index % 2 === 1 ? part : part.replace(steering, '\uFFFD')))
    .join('')
  // `##[error]`, `##vso[…]`, `##teamcity[…]` work anywhere in a line.
  const disarmed = plain.replace(/##(?=\w*\[)/g, '## ')
  // `::error::` works at the start of a line, after spaces.
  return own === 'workflow commands' ? disarmed : disarmed.replace(/^([^\S\n]*):(?=:)/gm, '$1: ')
}

/** Returns a text as one line, without the line break at its end. */
export function terminalLine(text: string): string {
  return terminalText(text.replace(/[\t\n\r\u2028\u2029]+/g, ' '))
}
