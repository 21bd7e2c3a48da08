/**
 * Makes a source's text safe for a terminal. Characters that control a terminal (escape sequences, control characters)
 * or deceive a reader (direction marks, invisible characters) become U+FFFD.
 */

import { shorten } from './wording.ts'

const unsafe = /[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]+/gu

/** A fast path: most texts need no replacement. */
const isPrintable = /^[ -~]*$/

const maxLineCharacters = 1000

/** Returns any text as one line: line breaks and tabs become spaces. */
export function plainLine(text: string): string {
  if (isPrintable.test(text)) return text.trim()
  return text
    .replace(/[\t\n\r\u2028\u2029]+/gu, ' ')
    .replace(unsafe, '\uFFFD')
    .trim()
}

/**
 * Returns a name with invisible characters as escapes: `line
 * break`, `\u202e`.
 */
export function visibleName(name: string): string {
  return isPrintable.test(name)
    ? name
    : name.replace(/[\u2028\u2029]/g, escapeCharacters).replace(unsafe, escapeRun)
}

/**
 * A run of characters without a glyph: controls, format characters (bidirectional overrides, zero widths, tags), private
 * use, fillers and variation selectors. A model may read a sentence in them. Not tabs and line breaks, nor the one selector
 * that makes a sign an emoji.
 */
export const hiddenRun =
  /(?:(?![\t\n\r]|(?<=\p{Emoji})\ufe0f)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800])+/gu

/** The other characters of a longer run are counted, not named. */
const maxNamedCharacters = 4

/** Returns any text as one line, with the codes of its hidden characters: `ab<U+200B>c`. */
export function revealLine(text: string): string {
  if (isPrintable.test(text)) return text.trim()
  const revealed = text.replace(hiddenRun, run => {
    const codes = [...run].map(character => `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}`)
    const more = codes.length - maxNamedCharacters
    return `<${codes.slice(0, maxNamedCharacters).join(' ')}${more > 0 ? ` and ${more} more` : ''}>`
  })
  return plainLine(revealed)
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

const escapeRun = (run: string) =>
  run
    .split('')
    .map(unit => shortEscapes[unit] ?? escapeCharacters(unit))
    .join('')

/**
 * Returns any text with its line breaks. Tabs become spaces; empty lines around it and spaces at line ends are removed.
 */
export function plainText(text: string): string {
  const lines = text.split(/\r\n|[\n\r\u2028\u2029]/u)
  return lines
    .map(line => line.replaceAll('\t', '    ').replace(unsafe, '\uFFFD').trimEnd())
    .join('\n')
    .replace(/^\n+|\n+$/gu, '')
}

/** Like `unsafe`, but without line breaks and tabs. */
const unsafeInLines =
  /(?:(?![\n\t])[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}])+/gu

/** Returns any text with all its spaces and line breaks. */
export function wholeText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unsafeInLines, '\uFFFD')
}

/** Returns the first line that is not blank, at most 1,000 characters. */
export function takeFirstLine(text: string): string {
  const start = text.trimStart().slice(0, 4 * maxLineCharacters)
  const [first = ''] = start.split(/[\n\r\u2028\u2029]/u, 1)
  return shorten(plainLine(first), maxLineCharacters)
}

/**
 * Returns JSON with every unsafe character, and the `##` of commands to CI systems, written as `\uXXXX`. It parses to
 * the same value.
 */
export function plainJson(value: unknown, space = 2): string {
  return plainJsonText(JSON.stringify(value, null, space) ?? 'null')
}

/** Does the same as `plainJson` for JSON text. */
export function plainJsonText(json: string): string {
  // JSON contains these characters only inside strings.
  return json.replace(unsafeInJson, escapeCharacters)
}

const unsafeInJson =
  /##(?=\w*\[)|[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\udb40[\udc00-\udc7f]/g

function escapeCharacters(characters: string): string {
  return characters
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}
